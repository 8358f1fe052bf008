/** The query of a shared page's address. */
export interface ShareSearch {
  /** The part to open at. */
  part?: string | undefined
  /** A message: the section ends before it, or starts after it. */
  before?: string | undefined
  after?: string | undefined
  /** If set, the page opens at the newest messages. */
  end?: string | undefined
  /** How many sections are shown above and below the first one. */
  up?: string | undefined
  down?: string | undefined
}

export interface ShareWindow {
  /** Position of the first section: at the start, at the end, or around a part. */
  from: "start" | "end" | "part"
  up: number
  down: number
}

/** After this many sections, the link opens a new page: the browser must draw all rows of a page. */
const maxExtensions = 9

/** A prefix that sorts before every message id. */
const beforeAll = "msg_"

export function shareWindow(search: ShareSearch): ShareWindow {
  const from = search.part ? "part" : search.before || search.end ? "end" : "start"
  return { from, up: extensions(search.up), down: extensions(search.down) }
}

/** The anchor for the request to the server. */
export function shareAnchor(search: ShareSearch): { around?: string; before?: string; after?: string } {
  if (search.part) return { around: search.part }
  if (search.before) return { before: search.before }
  return search.end ? {} : { after: search.after || beforeAll }
}

/**
 * Link to a page with more rows. `grow`: the same page with more rows; otherwise another page. Without a script both
 * are plain links, and the fragment scrolls to the viewer's position.
 */
export interface MoreLink {
  href: string
  grow: boolean
}

/** Address of the page itself, and of the session that it shows. */
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
  // The rows of such a page are loaded backwards, so it cannot grow downwards.
  if (search.before || search.end || down >= maxExtensions) return { href: `${session}?after=${after}`, grow: false }
  return { href: grown(own, { ...search, down: String(down + 1) }, last), grow: true }
}

export function earlierLink(
  { own, session }: PageAddresses,
  search: ShareSearch,
  { before, first }: { before: string | null; first: string | null },
): MoreLink | null {
  if (before === null) return null
  const { from, up } = shareWindow(search)
  if (from === "start" || up >= maxExtensions) return { href: `${session}?before=${before}`, grow: false }
  return { href: grown(own, { ...search, up: String(up + 1) }, first), grow: true }
}

function grown(address: string, search: ShareSearch, fragment: string | null): string {
  const entries = Object.entries(search).filter(
    ([name, value]) => value && !(name === "part" && address.endsWith(value)),
  )
  return `${address}?${new URLSearchParams(entries)}${fragment === null ? "" : `#${fragment}`}`
}

function extensions(value: string | undefined): number {
  const count = Number(value ?? 0)
  return Number.isInteger(count) ? Math.max(0, Math.min(count, maxExtensions)) : 0
}
