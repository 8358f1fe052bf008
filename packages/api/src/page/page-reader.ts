import type { UseCases } from "@docket/core"
import { may } from "../access/may.ts"
import type { Auth } from "../auth/auth.ts"
import type { Credentials } from "../auth/credentials.ts"
import { useCasesOf, type Workspaces } from "../workspaces.ts"

/** What pages are drawn with in the process that serves the API too; null for who may not read. */
export type PageReader = (request: Credentials) => Promise<Pick<UseCases["session"], "tree" | "messages"> | null>

/** Reads as whoever is signed in. Pages are refused to others before; what they show is refused here again. */
export function createPageReader({ workspaces, auth }: { workspaces: Workspaces; auth: Auth }): PageReader {
  return async (request) => {
    const identity = await auth.identify(request)
    if (identity === null || !may(identity, "read")) return null
    return (await useCasesOf(workspaces, identity)).session
  }
}
