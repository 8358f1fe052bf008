import { addPage, type PageInput, type SnapshotInput, type TreeState, treeFromSnapshot } from "@docket/core/tree"

/** What a page brings along of a tree, so that nothing of that is asked for when it is opened. */
export interface TreeSeed {
  rootID: string
  snapshot: SnapshotInput
  /** Messages of one session; null when the reader comes for others. */
  page: (PageInput & { sessionID: string }) | null
  /** Parts of which only the beginning is in the page: they are fetched once the tree is followed. */
  cut: string[]
}

/** The tree as the seed has it. Follow it from `since`. */
export function treeFromSeed({ rootID, snapshot, page, cut }: TreeSeed): { tree: TreeState; since: number } {
  const tree = { ...treeFromSnapshot(rootID, snapshot), staleParts: page === null ? [] : cut }
  if (page === null) return { tree, since: snapshot.seq }
  const { sessionID, ...rest } = page
  return { tree: addPage(tree, sessionID, rest, "start"), since: Math.min(snapshot.seq, page.seq) }
}
