import { createHash, randomBytes } from "node:crypto"
import type { Share } from "../../ground/schema/index.ts"
import { admits, givePass, isForVisitor } from "./share-access.ts"
import { isPassword } from "./share-password.ts"
import { type ShareService, shareInfo } from "./share-service.ts"
import { createLinkWatch, type WatchLinksDeps } from "./watch-links.ts"

/** 128 bits: not to be guessed. */
const secretBytes = 16

export function newSecret(): { secret: string; secretHash: string } {
  const secret = randomBytes(secretBytes).toString("base64url")
  return { secret, secretHash: hashShareSecret(secret) }
}

/** What is asked with a link in hand. Whatever keeps a visitor out looks the same to them. */
export function createShareLinks(deps: WatchLinksDeps): Pick<ShareService, "resolve" | "unlock" | "ended"> {
  const { store, clock } = deps
  const watch = createLinkWatch(deps)
  return {
    async resolve(secret, visitor) {
      const share = await store.share.byHash(hashShareSecret(secret))
      if (share === null || !admits(share, visitor, clock())) return null
      return (await store.session.get(share.rootID)) === null ? null : shareInfo(share)
    },
    async unlock(secret, { password, isMember }) {
      const share = await store.share.byHash(hashShareSecret(secret))
      const hash = share !== null && isForVisitor(share, { isMember }, clock()) ? share.passwordHash : null
      const isRight = await isPassword(password, hash)
      return isRight && share !== null ? givePass(share, clock()) : null
    },
    async ended(secret, visitor, signal) {
      const secretHash = hashShareSecret(secret)
      const share = await store.share.byHash(secretHash)
      if (share === null) return true
      const isAdmitted = async (now: Share) => {
        if (now.secretHash !== secretHash) return false
        const isMember = now.audience === "workspace" && (await visitor.isMember())
        return admits(now, { pass: visitor.pass, isMember }, clock())
      }
      return watch(share, isAdmitted, signal)
    },
  }
}

/** What a store knows of the secret of a link. */
export function hashShareSecret(secret: string): string {
  return createHash("sha256").update(secret).digest("hex")
}
