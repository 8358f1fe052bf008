import type { TreeSeed } from "@docket/client"
import type { PageReads } from "@docket/client/pages"
import { headers } from "next/headers"
import { pageReader, sentCredentials } from "../../../shell/page-reader.ts"
import { fitFirst } from "./fit-first.ts"

/** What a document brings along: the tree, and the messages where its reader arrives. */
export interface FirstView {
  seed: TreeSeed
  nonce: string | undefined
}

interface FirstPlace {
  rootID: string
  sessionID: string
  /** The part that the address names. */
  part: string | null
}

type Snapshot = TreeSeed["snapshot"]
type Page = Awaited<ReturnType<PageReads["session"]["messages"]>>

/** More messages than fit on a page anyway. */
const limit = 30
/** A larger tree comes after its page (UTF-16 units, as JSON). */
const longestTree = 150_000

/**
 * What the page of this request brings along. Null for what the app itself has to ask for: pages that it goes to, what is
 * large, sessions that are not there.
 */
export async function readFirst<First>(
  read: (reads: PageReads) => Promise<First | null>,
): Promise<(First & Pick<FirstView, "nonce">) | null> {
  const sent = await headers()
  const pages = pageReader()
  if (pages === undefined || sent.get("x-docket-document") !== "1") return null
  const reads = await pages.reads(sentCredentials(sent))
  // Why it cannot be read, the app says when it asks.
  const first = reads && (await read(reads).catch(() => null))
  return first && { ...first, nonce: sent.get("x-nonce") ?? undefined }
}

/** The messages at the part, else the newest. */
export async function readPage({ session }: PageReads, { sessionID, part }: Omit<FirstPlace, "rootID">): Promise<Page> {
  const newest = () => session.messages({ sessionID, limit })
  return part === null ? newest() : session.messages({ sessionID, limit, around: part }).catch(newest)
}

/** Whether the tree is that of the root, and small enough to come with its page, with what else comes. */
export function fitsPage(rootID: string, snapshot: Snapshot, more: unknown = null): boolean {
  return snapshot.sessions.some(({ id }) => id === rootID) && JSON.stringify([snapshot, more]).length <= longestTree
}

/** Null when not even one message fits. */
export function seedOf({ rootID, sessionID, part }: FirstPlace, snapshot: Snapshot, page: Page): TreeSeed | null {
  const fitted = fitFirst(page, part)
  return fitted && { rootID, snapshot, page: { ...fitted.page, sessionID }, cut: fitted.cut }
}
