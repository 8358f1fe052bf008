import { DocketError, isDocketError, type UseCases } from "@docket/core"
import type { ShareInfo } from "@docket/core/schema"

/** Who asks for what a link leads to. */
export interface ShareVisitor {
  secret: string
  /** The request's header; it may hold what opens more than the secret alone. */
  cookie: string | undefined
}

/** One message for every way in which a link can be dead, so that guessing tells nothing. */
export function shareGone(): DocketError {
  return new DocketError("share_not_found", "this link does not exist or was revoked")
}

/** The share that a visitor may see. Every route of a link, pages included, asks here. @throws share_not_found */
export async function openShare(runtime: UseCases, { secret }: ShareVisitor): Promise<ShareInfo> {
  const share = /^[0-9A-Za-z_-]{16,128}$/.test(secret) ? await runtime.share.resolve(secret) : null
  if (!share) throw shareGone()
  return share
}

/** A link may die while its answer is made. */
export async function goneWhenDead<T>(work: Promise<T>): Promise<T> {
  return await work.catch((error: unknown) => {
    throw isDocketError(error) ? shareGone() : error
  })
}
