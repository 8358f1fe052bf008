import type { SharedTree } from "@docket/client/pages"
import type { Session } from "@docket/core/schema"
import { linkedPart, type Row } from "../transcript/rows/row.ts"
import { toRows } from "../transcript/rows/to-rows.ts"
import { visibleMessages } from "../tree/visible-messages.ts"
import { fitRows, type RowBudget } from "./fit-rows.ts"
import { readSharedMessages, readSharedPart, readSharedTree } from "./read-share.ts"
import { embedAddress, partAddress, sessionAddress } from "./share-address.ts"
import type { SharePlace } from "./share-place.ts"
import { earlierLink, laterLink, type ShareSearch, shareAnchor, shareWindow } from "./share-window.ts"

/** Number of messages to load for a section; usually a few of them are enough. */
const pageMessages = 40
/** A whole page, including what is above the rows, stays below 1,000 elements. */
const pageBudget: RowBudget = { rows: 60, elements: 800 }
/** A frame is smaller, and must not slow down the site around it. */
const compactBudget: RowBudget = { rows: 30, elements: 400 }

export interface SharePageProps extends SharePlace {
  search: ShareSearch
  /** Shown in a frame of another site; links open outside the frame. */
  compact?: boolean
}

/** The content of a page of a share. */
export interface SharedPage {
  shared: SharedTree
  session: Session
  rows: Row[]
  /** The part named in the address. */
  part: string | null
  /** The address of the session's page, from its beginning. */
  address: string
  /** Links to the rows before and after these; null at the ends. */
  earlier: ReturnType<typeof earlierLink>
  later: ReturnType<typeof laterLink>
}

/** Reads the page for an address of a share; null when this visitor may not see it or it does not exist. */
export async function readSharedPage(props: SharePageProps): Promise<SharedPage | null> {
  const { secret, child, part, compact = false } = props
  const shared = await readSharedTree(secret)
  const linked = shared && part !== undefined ? await readSharedPart(secret, part) : null
  const isMissing = part !== undefined && linked === null
  const sessionID = linked?.sessionID ?? child ?? shared?.share.rootID
  const session = isMissing ? undefined : shared?.tree.sessions.find(({ id }) => id === sessionID)
  if (shared === null || session === undefined) return null
  const search = part === undefined ? props.search : { up: props.search.up, down: props.search.down, part }
  const page = await readRange(secret, session, search)
  if (page === null) return null
  const size = compact ? compactBudget : pageBudget
  const { messages, before, after } = fitRows(page, { ...shareWindow(search), part: search.part }, size)
  const rows = toRows(messages, { atEnd: after === null, busy: session.status.type !== "idle" })
  const ids = rows.flatMap((row) => linkedPart(row) ?? [])
  const addresses = addressesOf(props, session)
  return {
    shared,
    session,
    rows,
    part: search.part ?? null,
    address: addresses.session,
    earlier: earlierLink(addresses, search, { before, first: ids[0] ?? null }),
    later: laterLink(addresses, search, { after, last: ids.at(-1) ?? null }),
  }
}

/** Messages around the anchor in the address, or the newest ones if the anchor does not exist any more. */
async function readRange(secret: string, session: Session, search: ShareSearch) {
  const { up, down } = shareWindow(search)
  const range = { sessionID: session.id, limit: pageMessages * (1 + 2 * Math.max(up, down)) }
  const found =
    (await readSharedMessages(secret, { ...range, ...shareAnchor(search) })) ??
    (await readSharedMessages(secret, range))
  if (found === null) return null
  const items = visibleMessages(found.items, session.revert)
  return { ...found, items, after: items.length < found.items.length ? null : found.after }
}

function addressesOf({ secret, part, compact = false }: SharePageProps, session: Session) {
  if (compact) return { session: embedAddress(secret), own: embedAddress(secret) }
  const address = sessionAddress(secret, session)
  return { session: address, own: part === undefined ? address : partAddress(secret, part) }
}
