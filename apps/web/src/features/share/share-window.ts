/** What the address of a shared page says besides which session it is. */
export interface ShareSearch {
  /** The part to open at. */
  part?: string | undefined
  /** The stretch that ends before, or begins after, a message. */
  before?: string | undefined
  after?: string | undefined
  /** Set to open at the newest messages. */
  end?: string | undefined
  /** How many stretches are shown above and below the first one. */
  up?: string | undefined
  down?: string | undefined
}

export interface ShareWindow {
  /** Where the first stretch lies: at the beginning, at the end, or around a part. */
  from: "start" | "end" | "part"
  up: number
  down: number
}

/** A page that has grown so often goes on with a page of its own: browsers have to draw all of it. */
const maxStretches = 9

/** Before the id of every message. */
const beforeAll = "msg_"

export function shareWindow(search: ShareSearch): ShareWindow {
  const from = search.part ? "part" : search.before || search.end ? "end" : "start"
  return { from, up: stretches(search.up), down: stretches(search.down) }
}

/** What to ask the service for. */
export function shareAnchor(search: ShareSearch): { around?: string; before?: string; after?: string } {
  if (search.part) return { around: search.part }
  if (search.before) return { before: search.before }
  return search.end ? {} : { after: search.after || beforeAll }
}

/**
 * Addresses of the pages that show more. `grow` means the same page with more rows, else another one. Without a script
 * both are plain links, and the fragment brings the reader to where they were.
 */
export interface MoreLink {
  href: string
  grow: boolean
}

/** Of the page itself, and of the session that it shows. */
export interface PageAddresses {
  own: string
  session: string
}

export function laterLink(
  { own, session }: PageAddresses,
  search: ShareSearch,
  { after, last }: { after: string | null; last: string | null },
): MoreLink | null {
  if (after === null) return null
  const { down } = shareWindow(search)
  // What lies below such a page is not in the answer that it was made of.
  if (search.before || search.end || down >= maxStretches) return { href: `${session}?after=${after}`, grow: false }
  return { href: grown(own, { ...search, down: String(down + 1) }, last), grow: true }
}

export function earlierLink(
  { own, session }: PageAddresses,
  search: ShareSearch,
  { before, first }: { before: string | null; first: string | null },
): MoreLink | null {
  if (before === null) return null
  const { from, up } = shareWindow(search)
  if (from === "start" || up >= maxStretches) return { href: `${session}?before=${before}`, grow: false }
  return { href: grown(own, { ...search, up: String(up + 1) }, first), grow: true }
}

function grown(address: string, search: ShareSearch, fragment: string | null): string {
  const entries = Object.entries(search).filter(
    ([name, value]) => value && !(name === "part" && address.endsWith(value)),
  )
  return `${address}?${new URLSearchParams(entries)}${fragment === null ? "" : `#${fragment}`}`
}

function stretches(value: string | undefined): number {
  const count = Number(value ?? 0)
  return Number.isInteger(count) ? Math.max(0, Math.min(count, maxStretches)) : 0
}
