import { createHash, randomBytes } from "node:crypto"
import { DocketError } from "../error/docket-error.ts"
import type { CreateId } from "../id/create-id.ts"
import type { Session, Share } from "../schema/index.ts"
import type { Store } from "../store/index.ts"

/** 128 bits: not to be guessed. */
const secretBytes = 16

export interface Shares {
  /** The secret is given here once; only its hash is kept. @throws session_not_found */
  create(session: Session): Promise<{ share: Share; secret: string }>
  list(rootID: string): Promise<Share[]>
  /** @throws share_not_found */
  revoke(id: string): Promise<Share>
  /** Null for an unknown or revoked secret, and when the session is gone. */
  resolve(secret: string): Promise<Share | null>
}

export interface SharesDeps {
  store: Pick<Store, "share" | "session">
  createID: CreateId
  clock: () => number
}

export function createShares(deps: SharesDeps): Shares {
  return {
    async create(session) {
      const secret = randomBytes(secretBytes).toString("base64url")
      const share: Share = {
        id: deps.createID("share"),
        rootID: session.rootID,
        secretHash: hashSecret(secret),
        time: { created: deps.clock(), revoked: null },
      }
      await deps.store.share.put(share)
      return { share, secret }
    },
    list: (rootID) => deps.store.share.list(rootID),
    async revoke(id) {
      const share = await deps.store.share.get(id)
      if (share === null) throw new DocketError("share_not_found", `There is no share ${id}.`)
      if (share.time.revoked !== null) return share
      const revoked = { ...share, time: { ...share.time, revoked: deps.clock() } }
      await deps.store.share.put(revoked)
      return revoked
    },
    async resolve(secret) {
      const share = await deps.store.share.byHash(hashSecret(secret))
      if (share === null || share.time.revoked !== null) return null
      return (await deps.store.session.get(share.rootID)) === null ? null : share
    },
  }
}

function hashSecret(secret: string): string {
  return createHash("sha256").update(secret).digest("hex")
}
