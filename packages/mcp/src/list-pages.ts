import type { Client } from "@modelcontextprotocol/client"
import { z } from "zod"

/** A server whose list has no end is ended at these. */
const most = { pages: 1_000, items: 5_000, characters: 32_000_000 } as const

const Page = z.looseObject({ nextCursor: z.string().optional() })

/**
 * All items of a list, page by page, as the server gives them. Nothing of an item is checked, so one that is wrong takes
 * no other with it.
 * @throws Error for a list without an end
 */
export async function listPages(
  client: Pick<Client, "request">,
  { method, key }: { method: string; key: string },
  options: { signal?: AbortSignal; timeout?: number } = {},
): Promise<unknown[]> {
  const items: unknown[] = []
  const seen = new Set<string>()
  let cursor: string | undefined
  let characters = 0
  for (let pages = 1; ; pages++) {
    const page = await client.request({ method, params: cursor === undefined ? {} : { cursor } }, Page, options)
    const found: unknown = page[key]
    if (Array.isArray(found)) items.push(...found)
    characters += JSON.stringify(page).length
    if (characters > most.characters)
      throw new Error(`Its list (${method}) has more than ${most.characters} characters.`)
    const { nextCursor } = page
    if (nextCursor === undefined) return items
    if (seen.has(nextCursor)) throw new Error(`Its list (${method}) comes back to a page that was read.`)
    if (pages === most.pages) throw new Error(`Its list (${method}) has more than ${most.pages} pages.`)
    if (items.length > most.items) throw new Error(`Its list (${method}) has more than ${most.items} entries.`)
    seen.add(nextCursor)
    cursor = nextCursor
  }
}
