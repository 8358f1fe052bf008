import type { FacetName, SearchAsk } from "@docket/core/query"
import type { SearchDocument } from "@docket/core/store"

/** Characters of a value that count, because indexes limit the length of words. */
const longest = 120

/** A property of a document as one word of the index, only letters and digits whatever the value is. */
export function facetWord(name: FacetName | "tenant" | "tree", value: string): string {
  return `${name}x${Buffer.from(value.slice(0, longest).toWellFormed()).toString("hex")}`
}

/** All properties of a document as words. */
export function facetWords(tenantID: string, { rootID, facets }: SearchDocument): string[] {
  // The names come from the type of `facets`.
  const own = Object.entries(facets).map(([name, value]) => facetWord(name as FacetName, value))
  return [facetWord("tenant", tenantID), facetWord("tree", rootID), ...own]
}

/** Properties that a document must have (one of each list), and those that it must not have. */
export function askedFacets(tenantID: string, { is, isNot, trees }: SearchAsk): { all: string[][]; none: string[] } {
  const words = ({ name, values }: SearchAsk["is"][number]) => values.map((value) => facetWord(name, value))
  const tree = trees.length === 0 ? [] : [trees.map((id) => facetWord("tree", id))]
  return { all: [[facetWord("tenant", tenantID)], ...tree, ...is.map(words)], none: isNot.flatMap(words) }
}
