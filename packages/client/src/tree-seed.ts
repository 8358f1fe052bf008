import { addPage, type PageInput, type SnapshotInput, type TreeState, treeFromSnapshot } from "@docket/core/tree"

/** Data about a tree that a page brings along, so that opening the page needs no fetch for it. */
export interface TreeSeed {
  rootID: string
  snapshot: SnapshotInput
  /** Messages of one session; null when the page shows no transcript. */
  page: (PageInput & { sessionID: string }) | null
  /** Parts of which the page has only the beginning: they are fetched once the tree is followed. */
  cut: string[]
}

/** The tree of the seed, and the sequence number from which to follow it. */
export function treeFromSeed({ rootID, snapshot, page, cut }: TreeSeed): { tree: TreeState; since: number } {
  const tree = { ...treeFromSnapshot(rootID, snapshot), staleParts: page === null ? [] : cut }
  if (page === null) return { tree, since: snapshot.seq }
  const { sessionID, ...rest } = page
  return { tree: addPage(tree, sessionID, rest, "start"), since: Math.min(snapshot.seq, page.seq) }
}
