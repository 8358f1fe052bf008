import type { TreeSeed } from "@docket/client"
import type { PageReader } from "@docket/client/pages"
import { headers } from "next/headers"
import { pageReader, sentCredentials } from "../../shell/page-reader.ts"
import { fitFirst } from "../transcript/first/fit-first.ts"

/** What the document of a session brings along: its tree, and the messages where its reader arrives. */
export interface FirstView {
  seed: TreeSeed
  nonce: string | undefined
}

interface Address {
  rootID: string
  sessionID: string
  /** The part that the address names. */
  part: string | null
}

/** More messages than fit on a page anyway. */
const limit = 30
/** A larger tree comes after its page (UTF-16 units, as JSON). */
const longestTree = 150_000

/** Null for what the app itself has to ask for: pages that it goes to, trees that are large, sessions that are not there. */
export async function readFirstView(address: Address): Promise<FirstView | null> {
  const sent = await headers()
  const pages = pageReader()
  if (pages === undefined || sent.get("x-docket-document") !== "1") return null
  const session = await pages.sessions(sentCredentials(sent))
  if (session === null) return null
  // Why it cannot be read, the app says when it asks.
  const seed = await readSeed(session, address).catch(() => null)
  return seed && { seed, nonce: sent.get("x-nonce") ?? undefined }
}

type Reader = NonNullable<Awaited<ReturnType<PageReader["sessions"]>>>

async function readSeed(session: Reader, { rootID, sessionID, part }: Address): Promise<TreeSeed | null> {
  const newest = () => session.messages({ sessionID, limit })
  const [snapshot, page] = await Promise.all([
    session.tree(sessionID),
    part === null ? newest() : session.messages({ sessionID, limit, around: part }).catch(newest),
  ])
  if (!snapshot.sessions.some(({ id }) => id === rootID) || JSON.stringify(snapshot).length > longestTree) return null
  const fitted = fitFirst(page, part)
  return fitted && { rootID, snapshot, page: { ...fitted.page, sessionID }, cut: fitted.cut }
}
