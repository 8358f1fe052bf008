import { DocketError, isDocketError, type LinkVisitor } from "@docket/core"
import type { ShareInfo } from "@docket/core/schema"
import type { Auth } from "../auth/auth.ts"
import { cookieNamed } from "../auth/credentials.ts"
import { workspacesOf } from "../auth/identity.ts"
import type { Ingress } from "../http/ingress.ts"
import type { LinkReader, LinkReaders } from "./link-reader.ts"
import { passName } from "./share-pass.ts"

/** What reads links for everybody. */
export interface ShareDoor {
  links: LinkReaders
  auth: Pick<Auth, "identify">
  ingress: Pick<Ingress, "isSecure">
}

/** Who asks for what a link leads to. */
export interface ShareVisitor {
  secret: string
  /** The request's header: it may hold a login, and what was given for the link's password. */
  cookie: string | undefined
}

/** One message for every way in which a link can be dead, so that guessing tells nothing. */
export function shareGone(): DocketError {
  return new DocketError("share_not_found", "this link does not exist, was revoked, or is not for you")
}

/** A share that is open to a visitor. */
export interface OpenedShare extends LinkReader {
  share: ShareInfo
}

/** The share that a visitor may see. Every route of a link, pages included, asks here. @throws share_not_found */
export async function openShare(door: ShareDoor, visitor: ShareVisitor): Promise<OpenedShare> {
  const { secret } = visitor
  if (!isSecret(secret)) throw shareGone()
  const reader = await door.links.of(secret)
  const share = await reader.runtime.links.resolve(secret, await visitorOf(door, reader, visitor))
  if (!share) throw shareGone()
  return { ...reader, share }
}

/** What the cookies of a request say of who sends it. */
export async function visitorOf(
  { auth, ingress }: Pick<ShareDoor, "auth" | "ingress">,
  { workspace }: Pick<LinkReader, "workspace">,
  { cookie }: Pick<ShareVisitor, "cookie">,
): Promise<LinkVisitor> {
  const identity = await auth.identify({ headers: { cookie } })
  const isMember = identity !== null && workspacesOf(identity).includes(workspace)
  return { isMember, pass: cookieNamed(cookie, passName(ingress)) }
}

/** Whether it has the form of one. */
function isSecret(secret: string): boolean {
  return /^[0-9A-Za-z_-]{16,128}$/.test(secret)
}

/** A link may die while its answer is made. */
export async function goneWhenDead<T>(work: Promise<T>): Promise<T> {
  return await work.catch((error: unknown) => {
    throw isDocketError(error) ? shareGone() : error
  })
}
