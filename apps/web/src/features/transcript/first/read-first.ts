import type { TreeSeed } from "@docket/client"
import type { PageReads } from "@docket/client/pages"
import { headers } from "next/headers"
import { pageReader, sentCredentials } from "../../../shell/page-reader.ts"
import { fitFirst } from "./fit-first.ts"

/** The data that is sent with a page: the tree, and the messages at the reader's place. */
export interface FirstView {
  seed: TreeSeed
  nonce: string | undefined
}

interface FirstPlace {
  rootID: string
  sessionID: string
  /** The part named in the address. */
  part: string | null
}

type Snapshot = TreeSeed["snapshot"]
type Page = Awaited<ReturnType<PageReads["session"]["messages"]>>

/** More messages than fit on one page. */
const limit = 30
/** A larger tree is loaded after the page (UTF-16 units, as JSON). */
const longestTree = 150_000

/**
 * Reads the data that is sent with the page of this request. Returns null when the app must load it itself: on
 * navigation inside the app, for large trees, and for missing sessions.
 */
export async function readFirst<First>(
  read: (reads: PageReads) => Promise<First | null>,
): Promise<(First & Pick<FirstView, "nonce">) | null> {
  const requestHeaders = await headers()
  const pages = pageReader()
  if (pages === undefined || requestHeaders.get("x-docket-document") !== "1") return null
  const reads = await pages.reads(sentCredentials(requestHeaders))
  // On an error the app reads the data again, and shows the reason.
  const first = reads && (await read(reads).catch(() => null))
  return first && { ...first, nonce: requestHeaders.get("x-nonce") ?? undefined }
}

/** The messages around the part, or the newest ones. */
export async function readPage({ session }: PageReads, { sessionID, part }: Omit<FirstPlace, "rootID">): Promise<Page> {
  const newest = () => session.messages({ sessionID, limit })
  return part === null ? newest() : session.messages({ sessionID, limit, around: part }).catch(newest)
}

/** Whether the snapshot contains the root session and, together with `more`, is small enough to send with the page. */
export function fitsPage(rootID: string, snapshot: Snapshot, more: unknown = null): boolean {
  return snapshot.sessions.some(({ id }) => id === rootID) && JSON.stringify([snapshot, more]).length <= longestTree
}

/** Null when not even one message fits. */
export function seedOf({ rootID, sessionID, part }: FirstPlace, snapshot: Snapshot, page: Page): TreeSeed | null {
  const fitted = fitFirst(page, part)
  return fitted && { rootID, snapshot, page: { ...fitted.page, sessionID }, cut: fitted.cut }
}
