import type { Runtime, UseCases } from "@docket/core"
import type { Caller } from "@docket/core/schema"
import type { Auth } from "../auth/auth.ts"
import { type Credentials, isSignedIn } from "../auth/credentials.ts"

/** What pages are drawn with in the process that serves the API too; null for a request that is not signed in. */
export type PageReader = (request: Credentials) => Pick<UseCases["session"], "tree" | "messages"> | null

/** Reads as `user` for whoever is signed in. Pages are refused to others before; what they show is refused here again. */
export function createPageReader(deps: { runtime: Runtime; auth: Auth; user: Caller }): PageReader {
  const { session } = deps.runtime.as(deps.user)
  return (request) => (isSignedIn(request, deps.auth) ? session : null)
}
