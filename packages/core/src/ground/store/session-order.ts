import { DocketError } from "../error/docket-error.ts"
import type { Session } from "../schema/index.ts"

/** Root first, then by creation. Session ids descend, so of two with one time the larger id is the older. */
export function byCreation(a: Session, b: Session): number {
  if (a.depth !== b.depth && (a.depth === 0 || b.depth === 0)) return a.depth - b.depth
  return a.time.created - b.time.created || (a.id > b.id ? -1 : 1)
}

/** Where the next page of the session list starts, after the session that was updated then (ms). */
export function listCursor(id: string, updated: number): string {
  return `${updated}:${id}`
}

/** @throws DocketError invalid_input when it is not a cursor that a list gave */
export function parseListCursor(cursor: string): { updated: number; id: string } {
  const [, updated, id] = /^(\d+(?:\.\d+)?):(\w+)$/.exec(cursor) ?? []
  if (updated === undefined || id === undefined) {
    throw new DocketError("invalid_input", "the cursor is not one that this list gave; leave it out for its first page")
  }
  return { updated: Number(updated), id }
}
