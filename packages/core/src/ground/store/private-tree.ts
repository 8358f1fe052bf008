import type { Session } from "../schema/index.ts"

/** Who started a tree, or brought it from a file; null where rows of older versions do not tell. */
export function authorOf({ by, imported }: Pick<Session, "by" | "imported">): string | null {
  return imported?.by.person ?? by?.person ?? null
}

/** Who alone sees the tree of a root session; null for one that its workspace sees. */
export function onlyReader(session: Pick<Session, "parentID" | "visibility" | "by" | "imported">): string | null {
  return session.parentID === null && session.visibility === "author" ? authorOf(session) : null
}
