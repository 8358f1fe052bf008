import type { SearchHit } from "@docket/core"

export interface HitGroup {
  root: SearchHit["root"]
  hits: SearchHit[]
}

/** Search hits grouped by tree: the tree with the newest hit first, and within a tree the newest first. */
export function groupHits(hits: readonly SearchHit[]): HitGroup[] {
  const groups = Map.groupBy(hits, ({ root }) => root.id)
  return [...groups.values()].flatMap((of) => (of[0] ? [{ root: of[0].root, hits: of }] : []))
}
