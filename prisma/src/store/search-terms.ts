import type { FacetName, SearchAsk } from "@docket/core/query"
import type { SearchDocument } from "@docket/core/store"

/** What a document carries, as one word of the index: letters and digits alone, whatever the value is. */
export function facetWord(name: FacetName | "tenant" | "tree", value: string): string {
  return `${name}x${Buffer.from(value.slice(0, longest).toWellFormed()).toString("hex")}`
}

/** Characters of a value that count: indexes take no endless words. */
const longest = 120

/** All that a document carries. */
export function facetWords(tenantID: string, { rootID, facets }: SearchDocument): string[] {
  // The names are those of the type: the document was made of it.
  const own = Object.entries(facets).map(([name, value]) => facetWord(name as FacetName, value))
  return [facetWord("tenant", tenantID), facetWord("tree", rootID), ...own]
}

/** What has to be carried: one of each list; and what must not be. */
export function askedFacets(tenantID: string, { is, isNot, trees }: SearchAsk): { all: string[][]; none: string[] } {
  const words = ({ name, values }: SearchAsk["is"][number]) => values.map((value) => facetWord(name, value))
  const tree = trees.length === 0 ? [] : [trees.map((id) => facetWord("tree", id))]
  return { all: [[facetWord("tenant", tenantID)], ...tree, ...is.map(words)], none: isNot.flatMap(words) }
}
