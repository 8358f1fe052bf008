import { DocketError, isDocketError, type LinkVisitor } from "@docket/core"
import type { ShareInfo } from "@docket/core/schema"
import type { Auth } from "../auth/auth.ts"
import { cookieNamed } from "../auth/credentials.ts"
import { workspacesOf } from "../auth/identity.ts"
import type { Ingress } from "../http/ingress.ts"
import type { LinkReader, LinkReaders } from "./link-reader.ts"
import { passName } from "./share-pass.ts"

/** What is needed to open links for everybody. */
export interface ShareDeps {
  links: LinkReaders
  auth: Pick<Auth, "identify">
  ingress: Pick<Ingress, "isSecure">
}

/** Who opens a link. */
export interface ShareVisitor {
  secret: string
  /** The request's `Cookie` header. It may have a login, and the pass for the link's password. */
  cookie: string | undefined
}

/** One message for every kind of dead link, so that guessing a secret tells nothing. */
export function shareGone(): DocketError {
  return new DocketError("share_not_found", "this link does not exist, was revoked, or is not for you")
}

/** A share that is open to a visitor. */
export interface OpenedShare extends LinkReader {
  share: ShareInfo
}

/** The share, if the visitor may see it. Every route and page of a link calls this. @throws share_not_found */
export async function openShare(deps: ShareDeps, visitor: ShareVisitor): Promise<OpenedShare> {
  const { secret } = visitor
  if (!isSecret(secret)) throw shareGone()
  const reader = await deps.links.of(secret)
  const share = await reader.runtime.links.resolve(secret, await visitorOf(deps, reader, visitor))
  if (!share) throw shareGone()
  return { ...reader, share }
}

/** Who sends a request, by its cookies. */
export async function visitorOf(
  { auth, ingress }: Pick<ShareDeps, "auth" | "ingress">,
  { workspace }: Pick<LinkReader, "workspace">,
  { cookie }: Pick<ShareVisitor, "cookie">,
): Promise<LinkVisitor> {
  const identity = await auth.identify({ headers: { cookie } })
  const isMember = identity !== null && workspacesOf(identity).includes(workspace)
  return { isMember, pass: cookieNamed(cookie, passName(ingress)) }
}

/** Whether the text has the form of a secret. */
function isSecret(secret: string): boolean {
  return /^[0-9A-Za-z_-]{16,128}$/.test(secret)
}

/** Answers `share_not_found` when the link ended while the answer was made. */
export async function goneWhenDead<T>(work: Promise<T>): Promise<T> {
  return await work.catch((error: unknown) => {
    throw isDocketError(error) ? shareGone() : error
  })
}
