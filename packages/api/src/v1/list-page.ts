import { z } from "@hono/zod-openapi"
import { V1Error } from "./v1-error.ts"

/** How far a list is read whose cursor counts its items. */
const furthest = 10_000

/** A part of a list that is read from its beginning. */
export interface ListPage {
  from: number
  limit: number
}

/** The parameter of such a list. */
export const cursorParameter = { type: "string", description: "`next_cursor` of the page before" } as const

/** The field of such a list. */
export const nextCursor = {
  next_cursor: z.string().nullable().openapi({ description: "of the next page, null on the last one" }),
}

/** @throws V1Error for a cursor that no page gave */
export function listPage(cursor: string | undefined, limit: number): ListPage {
  if (cursor === undefined) return { from: 0, limit }
  if (!/^[1-9]\d{0,4}$/.test(cursor)) throw new V1Error(400, "cursor is `next_cursor` of the page before")
  return { from: Number(cursor), limit }
}

/** How many items to read: one more than the page has shows whether another one follows. */
export function sizeToRead({ from, limit }: ListPage): number {
  return Math.min(from + limit + 1, furthest)
}

/** The items of a page, and where the next one begins. */
export function pageOf<T>(read: readonly T[], { from, limit }: ListPage): { items: T[]; next_cursor: string | null } {
  const to = from + limit
  return { items: read.slice(from, to), next_cursor: read.length > to ? String(to) : null }
}
