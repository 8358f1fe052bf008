import { createHash, randomBytes } from "node:crypto"
import { admits, givePass, isForVisitor } from "./share-access.ts"
import { isPassword } from "./share-password.ts"
import { type ShareService, shareInfo } from "./share-service.ts"
import { createTryLimit } from "./try-limit.ts"
import { createLinkWatch, type WatchLinksDeps } from "./watch-links.ts"

/** 128 bits: not to be guessed. */
const secretBytes = 16

/** Tries of passwords: so many at once, then one each time that so many ms have passed. */
const triesOfAddress = { most: 10, refillMs: 6_000 }
const triesOfLink = { most: 30, refillMs: 2_000 }

export function newSecret(): { secret: string; secretHash: string } {
  const secret = randomBytes(secretBytes).toString("base64url")
  return { secret, secretHash: hashShareSecret(secret) }
}

/** What is asked with a link in hand. Whatever keeps a visitor out looks the same to them. */
export function createShareLinks(deps: WatchLinksDeps): Pick<ShareService, "resolve" | "unlock" | "ended"> {
  const { store, clock } = deps
  const watch = createLinkWatch(deps)
  const byAddress = createTryLimit({ ...triesOfAddress, clock })
  const byLink = createTryLimit({ ...triesOfLink, clock })
  return {
    async resolve(secret, visitor) {
      const share = await store.share.byHash(hashShareSecret(secret))
      if (share === null || !admits(share, visitor, clock())) return null
      return (await store.session.get(share.rootID)) === null ? null : shareInfo(share)
    },
    async unlock(secret, { password, address, isMember }) {
      const secretHash = hashShareSecret(secret)
      if (!byAddress.take(address) || !byLink.take(secretHash)) return null
      const share = await store.share.byHash(secretHash)
      const hash = share !== null && isForVisitor(share, { isMember }, clock()) ? share.passwordHash : null
      const isRight = await isPassword(password, hash)
      if (!isRight || share === null) return null
      byAddress.giveBack(address)
      byLink.giveBack(secretHash)
      return givePass(share, clock())
    },
    async ended(secret, visitor, signal) {
      const secretHash = hashShareSecret(secret)
      const share = await store.share.byHash(secretHash)
      if (share === null) return true
      const isAdmitted = (now: typeof share) => now.secretHash === secretHash && admits(now, visitor, clock())
      return watch(share, isAdmitted, signal)
    },
  }
}

/** What a store knows of the secret of a link. */
export function hashShareSecret(secret: string): string {
  return createHash("sha256").update(secret).digest("hex")
}
