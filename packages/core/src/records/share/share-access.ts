import { createHmac, timingSafeEqual } from "node:crypto"
import type { Share } from "../../ground/schema/index.ts"

/** A person who opens a link. */
export interface LinkVisitor {
  /** Whether the visitor is signed in to the workspace. */
  isMember: boolean
  /** The pass that the visitor got for the password, if any. */
  pass: string | null
}

/** A visitor who keeps watching; membership is checked again meanwhile. */
export interface LinkOnlooker extends Pick<LinkVisitor, "pass"> {
  isMember(): boolean | Promise<boolean>
}

/** The pass for the right password. It opens only this share, and only until the password changes. */
export interface SharePass {
  pass: string
  /** How long the pass is valid. */
  seconds: number
}

/** How long a pass is valid (ms). */
const passMs = 12 * 60 * 60_000

/** The key for the digests of a share's findings. Rows of older versions use the hash of their secret. */
export function keyOf({ digestKey, secretHash }: Share): string {
  return digestKey ?? secretHash
}

/** Whether the share still exists for anyone. */
export function isLiving({ time, expires }: Share, now: number): boolean {
  return time.revoked === null && (expires === null || expires > now)
}

/** Whether the share is meant for this visitor, apart from its password. */
export function isForVisitor(share: Share, { isMember }: Pick<LinkVisitor, "isMember">, now: number): boolean {
  return isLiving(share, now) && (share.audience === "link" || isMember)
}

/** Whether the visitor may see the share. */
export function admits(share: Share, visitor: LinkVisitor, now: number): boolean {
  if (!isForVisitor(share, visitor, now)) return false
  return share.passwordHash === null || (visitor.pass !== null && isPass(share, visitor.pass, now))
}

/** Makes a pass for a visitor who gave the right password. */
export function givePass(share: Share, now: number): SharePass {
  const until = now + passMs
  return { pass: `${until.toString(36)}.${seal(share, until)}`, seconds: passMs / 1_000 }
}

function isPass(share: Share, pass: string, now: number): boolean {
  const [time = "", given = ""] = pass.split(".")
  const until = Number.parseInt(time, 36)
  if (!(until > now && until <= now + passMs)) return false
  const right = Buffer.from(seal(share, until))
  const tried = Buffer.from(given)
  return right.length === tried.length && timingSafeEqual(right, tried)
}

/** Uses the password's hash as the key: its salt is random, so nobody outside the store knows it. */
function seal({ id, passwordHash }: Share, until: number): string {
  return createHmac("sha256", passwordHash ?? "")
    .update(`${id} ${until}`)
    .digest("base64url")
}
