import { createHmac, timingSafeEqual } from "node:crypto"
import type { Share } from "../../ground/schema/index.ts"

/** Who has a link and wants to see what it leads to. */
export interface LinkVisitor {
  /** Whether they are signed in to the workspace. */
  isMember: boolean
  /** What they got for the password, if they gave it. */
  pass: string | null
}

/** Somebody who goes on looking: what they are is asked again while they do. */
export interface LinkOnlooker extends Pick<LinkVisitor, "pass"> {
  isMember(): boolean | Promise<boolean>
}

/** What the right password is exchanged for. It opens this share alone, and no longer once the password is another. */
export interface SharePass {
  pass: string
  /** How long it opens the share. */
  seconds: number
}

/** How long a password need not be given again (ms). */
const passMs = 12 * 60 * 60_000

/** Under which the findings of a share have their digests. Rows of older versions take the hash of their secret. */
export function keyOf({ digestKey, secretHash }: Share): string {
  return digestKey ?? secretHash
}

/** Whether the share is there at all for anybody. */
export function isLiving({ time, expires }: Share, now: number): boolean {
  return time.revoked === null && (expires === null || expires > now)
}

/** Whether the share is for them, apart from its password. */
export function isForVisitor(share: Share, { isMember }: Pick<LinkVisitor, "isMember">, now: number): boolean {
  return isLiving(share, now) && (share.audience === "link" || isMember)
}

/** Whether a visitor may see what the share shows. */
export function admits(share: Share, visitor: LinkVisitor, now: number): boolean {
  if (!isForVisitor(share, visitor, now)) return false
  return share.passwordHash === null || (visitor.pass !== null && isPass(share, visitor.pass, now))
}

/** For who gave the password of the share. */
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

/** Nobody outside the store knows the hash of the password, whose salt is random: it is the key. */
function seal({ id, passwordHash }: Share, until: number): string {
  return createHmac("sha256", passwordHash ?? "")
    .update(`${id} ${until}`)
    .digest("base64url")
}
