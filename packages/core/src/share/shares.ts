import { createHash, randomBytes } from "node:crypto"
import { nodeTimers, type Timers } from "../concurrency/timers.ts"
import { DocketError } from "../error/docket-error.ts"
import type { Bus } from "../event/bus.ts"
import type { CreateId } from "../id/create-id.ts"
import type { Caller, DocketEvent, Session, Share, ShareInfo } from "../schema/index.ts"
import type { Store } from "../store/index.ts"
import type { ShareService } from "./share-service.ts"

/** 128 bits: not to be guessed. */
const secretBytes = 16

/** As the service has it, for a session that is known. @throws share_not_found */
export type Shares = Omit<ShareService, "create"> & {
  create(session: Session, by: Caller): ReturnType<ShareService["create"]>
}

export interface SharesDeps {
  store: Pick<Store, "share" | "session">
  bus: Bus
  createID: CreateId
  clock: () => number
  timers?: Timers
}

/** How long a link may outlive an end of which no event tells, as when its tenant was removed (ms). */
const recheckMs = 2_000

/** Publishes `share.updated` when a link was made or revoked. */
export function createShares(deps: SharesDeps): Shares {
  const { timers = nodeTimers } = deps
  const put = async (row: Share): Promise<ShareInfo> => {
    await deps.store.share.put(row)
    const share = withoutHash(row)
    const event = { type: "share.updated", rootID: row.rootID, seq: null, properties: { share } } as const
    deps.bus.publish(event)
    return share
  }
  const resolve = async (secret: string): Promise<ShareInfo | null> => {
    const share = await deps.store.share.byHash(hashSecret(secret))
    if (share === null || share.time.revoked !== null) return null
    return (await deps.store.session.get(share.rootID)) === null ? null : withoutHash(share)
  }
  return {
    async create(session, by) {
      const secret = randomBytes(secretBytes).toString("base64url")
      const share: Share = {
        id: deps.createID("share"),
        rootID: session.rootID,
        secretHash: hashSecret(secret),
        by,
        time: { created: deps.clock(), revoked: null },
      }
      return { share: await put(share), secret }
    },
    list: async (rootID) => (await deps.store.share.list(rootID)).map(withoutHash),
    async revoke(id) {
      const share = await deps.store.share.get(id)
      if (share === null) throw new DocketError("share_not_found", `There is no share ${id}.`)
      if (share.time.revoked !== null) return withoutHash(share)
      return put({ ...share, time: { ...share.time, revoked: deps.clock() } })
    },
    resolve,
    async ended(secret, signal) {
      const share = await deps.store.share.byHash(hashSecret(secret))
      if (share === null) return true
      const end = Promise.withResolvers<boolean>()
      const unsubscribe = deps.bus.subscribe((event) => endsLink(event, share) && end.resolve(true))
      // A store that fails here is asked again at the next time.
      const check = () =>
        void resolve(secret).then(
          (found) => found === null && end.resolve(true),
          () => undefined,
        )
      const stopChecking = timers.every(recheckMs, check)
      const onAbort = () => end.resolve(false)
      signal.addEventListener("abort", onAbort)
      if (signal.aborted) onAbort()
      check()
      try {
        return await end.promise
      } finally {
        signal.removeEventListener("abort", onAbort)
        stopChecking()
        unsubscribe()
      }
    },
  }
}

function endsLink(event: DocketEvent, { id, rootID }: Share): boolean {
  if (event.type === "session.deleted") return event.properties.sessionID === rootID
  return (
    event.type === "share.updated" && event.properties.share.id === id && event.properties.share.time.revoked !== null
  )
}

function withoutHash({ secretHash: _, ...info }: Share): ShareInfo {
  return info
}

function hashSecret(secret: string): string {
  return createHash("sha256").update(secret).digest("hex")
}
