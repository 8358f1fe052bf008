export { type ParsedSearch, parseSearch, type SearchContext, searchLimits } from "./parse-search.ts"
export {
  emptyAsk,
  type FacetFilter,
  type FacetName,
  holdsTerm,
  type SearchAsk,
  type SearchKind,
  type SearchState,
  type SearchTerm,
  type SearchVerdict,
  searchKinds,
  searchStates,
  searchVerdicts,
  termLine,
} from "./search-ask.ts"
export { type QueryPiece, splitQuery } from "./split-query.ts"
export { matchesIn, mergedMatches, type TextMatch } from "./text-matches.ts"
export { wordLine, wordsIn } from "./words.ts"
