/** Words that follow each other; the last may be the beginning of a longer word. */
export interface SearchTerm {
  words: readonly string[]
  isPrefix: boolean
}

export const searchKinds = ["title", "child", "prompt", "answer", "tool"] as const
/** The things that a search finds: titles of root and child sessions, texts of people and models, and tool calls. */
export type SearchKind = (typeof searchKinds)[number]

export const searchStates = ["running", "completed", "failed", "stopped"] as const
/** How a call of a tool ended, or how the work of a session stands. */
export type SearchState = (typeof searchStates)[number]

export const searchVerdicts = ["approve", "needs_changes", "reject"] as const
export type SearchVerdict = (typeof searchVerdicts)[number]

/** The properties of each thing that can be found. A filter accepts some values of a property, or excludes some. */
export const facetNames = ["agent", "tool", "kind", "by"] as const
export type FacetName = (typeof facetNames)[number]

export interface FacetFilter {
  name: FacetName
  /** In lower case. */
  values: readonly string[]
}

/** The conditions of a search. All of them must hold. */
export interface SearchAsk {
  terms: readonly SearchTerm[]
  without: readonly SearchTerm[]
  is: readonly FacetFilter[]
  isNot: readonly FacetFilter[]
  /** Words of paths: one of them must be touched, and the excluded ones must not be. */
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

/** Whether a line of words (see `wordLine`) contains the terms of the search. */
export function holdsTerm(line: string, term: SearchTerm): boolean {
  return line.includes(termLine(term))
}

/** The term as it occurs in a line of words. */
export function termLine({ words, isPrefix }: SearchTerm): string {
  return ` ${words.join(" ")}${isPrefix ? "" : " "}`
}
