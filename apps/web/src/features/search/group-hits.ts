import type { SearchHit } from "@docket/core"

export interface HitGroup {
  root: SearchHit["root"]
  hits: SearchHit[]
}

/** Groups hits, which come newest first, by tree. Their order is kept: the tree with the newest hit is first. */
export function groupHits(hits: readonly SearchHit[]): HitGroup[] {
  const groups = Map.groupBy(hits, ({ root }) => root.id)
  return [...groups.values()].flatMap((group) => (group[0] ? [{ root: group[0].root, hits: group }] : []))
}
