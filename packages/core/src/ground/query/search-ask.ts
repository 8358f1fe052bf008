/** Words that stand in a row; the last may be the beginning of a longer one. */
export interface SearchTerm {
  words: readonly string[]
  isPrefix: boolean
}

export const searchKinds = ["title", "child", "prompt", "answer", "tool"] as const
/** What is found: the title of a root session or of a child, what a person or a model wrote, the call of a tool. */
export type SearchKind = (typeof searchKinds)[number]

export const searchStates = ["running", "completed", "failed", "stopped"] as const
/** How a call of a tool ended, or how the work of a session stands. */
export type SearchState = (typeof searchStates)[number]

export const searchVerdicts = ["approve", "needs_changes", "reject"] as const
export type SearchVerdict = (typeof searchVerdicts)[number]

/** What each thing that can be found carries: filters by these ask for one of some values, or for none of them. */
export const facetNames = ["agent", "tool", "kind", "by"] as const
export type FacetName = (typeof facetNames)[number]

export interface FacetFilter {
  name: FacetName
  /** In lower case. */
  values: readonly string[]
}

/** What a search asks for. All of it has to hold. */
export interface SearchAsk {
  terms: readonly SearchTerm[]
  without: readonly SearchTerm[]
  is: readonly FacetFilter[]
  isNot: readonly FacetFilter[]
  /** Words of paths, of which one has to be touched; and those that must not be. */
  files: readonly SearchTerm[]
  withoutFiles: readonly SearchTerm[]
  states: readonly SearchState[]
  verdicts: readonly SearchVerdict[]
  /** USD that the session itself used. */
  costFrom: number | null
  costTo: number | null
  /** Epoch ms: from this moment on, and earlier than that one. */
  after: number | null
  before: number | null
  /** Root sessions; empty for all. */
  trees: readonly string[]
}

export const emptyAsk: SearchAsk = {
  terms: [],
  without: [],
  is: [],
  isNot: [],
  files: [],
  withoutFiles: [],
  states: [],
  verdicts: [],
  costFrom: null,
  costTo: null,
  after: null,
  before: null,
  trees: [],
}

/** Whether a line of words (see `wordLine`) holds what is asked. */
export function holdsTerm(line: string, term: SearchTerm): boolean {
  return line.includes(termLine(term))
}

/** How the term stands in a line of words. */
export function termLine({ words, isPrefix }: SearchTerm): string {
  return ` ${words.join(" ")}${isPrefix ? "" : " "}`
}
