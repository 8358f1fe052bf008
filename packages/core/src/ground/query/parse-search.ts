import {
  emptyAsk,
  type FacetName,
  facetNames,
  type SearchAsk,
  type SearchKind,
  type SearchState,
  type SearchTerm,
  type SearchVerdict,
  searchKinds,
} from "./search-ask.ts"
import { type QueryPiece, splitQuery } from "./split-query.ts"
import { wordsIn } from "./words.ts"

/** The facts besides its text on which the meaning of a query depends. */
export interface SearchContext {
  /** Epoch ms. */
  now: number
  /** How far the clock of whoever asks is ahead of UTC (minutes). */
  utcOffset: number
  /** The person that `by:me` means. */
  person: string
  /** The query is still typed: its last word may be the beginning of one. */
  isTyping: boolean
}

export interface ParsedSearch {
  /** Null when nothing is asked for. */
  ask: SearchAsk | null
  /** The ignored parts of the query, in words for people. */
  problems: string[]
}

/** Characters of a query, and words and filters of it, that count. */
export const searchLimits = { characters: 2_000, pieces: 32 } as const

type Draft = { -readonly [Key in keyof SearchAsk]: SearchAsk[Key] }
/** Adds one filter to what is asked so far; false when its value makes no sense. */
type Filter = (ask: Draft, piece: QueryPiece, context: SearchContext) => boolean

/**
 * Parses a query: words, "phrases", the beginning of a word with `*`, filters such as `agent:explore`, and `-` before
 * any of them to exclude it. Never throws: parts that make no sense are reported and left out.
 */
export function parseSearch(text: string, context: SearchContext): ParsedSearch {
  const ask: Draft = { ...emptyAsk }
  const problems: string[] = []
  const pieces = splitQuery(text.slice(0, searchLimits.characters), searchLimits.pieces + 1)
  if (text.length > searchLimits.characters)
    problems.push(`Only the first ${searchLimits.characters} characters of a query count.`)
  if (pieces.length > searchLimits.pieces)
    problems.push(`Only the first ${searchLimits.pieces} words and filters of a query count.`)
  const counted = pieces.slice(0, searchLimits.pieces)
  for (const piece of counted) {
    const filter = piece.name === null ? undefined : filters[piece.name]
    const isLast = piece === counted.at(-1) && piece.end === text.length
    if (filter === undefined) addWords(ask, piece, context.isTyping && isLast)
    else if (piece.value === "" && isLast && context.isTyping) continue
    else if (!filter(ask, piece, context))
      problems.push(`“${piece.source.slice(0, 60)}” does not count: ${hints[piece.name ?? ""]}`)
  }
  return { ask: isEmpty(ask) ? null : ask, problems }
}

/** The names of filters, with what each takes. */
const hints: Record<string, string> = {
  agent: "name an agent, as in agent:explore.",
  tool: "name a tool, as in tool:bash.",
  kind: `it takes ${searchKinds.join(", ")}.`,
  by: "name a person, or by:me.",
  file: "name a file or folder, as in file:src/a.ts.",
  status: "it takes running, completed, failed or stopped.",
  verdict: "it takes approved, needs-changes or rejected, without a minus.",
  cost: "it takes dollars, as in cost:>0.5, without a minus.",
  after: "it takes a day or a span, as in after:2026-11-01 or after:7d, without a minus.",
  before: "it takes a day or a span, as in before:2026-11-01 or before:7d, without a minus.",
  tree: "it takes the id of a session, without a minus.",
}

const states: Record<string, SearchState> = {
  running: "running",
  completed: "completed",
  done: "completed",
  failed: "failed",
  error: "failed",
  stopped: "stopped",
  cancelled: "stopped",
}

const verdicts: Record<string, SearchVerdict> = {
  approve: "approve",
  approved: "approve",
  needs_changes: "needs_changes",
  "needs-changes": "needs_changes",
  reject: "reject",
  rejected: "reject",
}

/** A map without inherited keys: queries name what they like. */
const filters: Record<string, Filter | undefined> = Object.assign(Object.create(null), {
  ...Object.fromEntries(facetNames.map((name) => [name, facet(name)])),
  file(ask, { value, isNot }) {
    const term = termOf(value, value.endsWith("*"))
    if (term === null) return false
    if (isNot) ask.withoutFiles = [...ask.withoutFiles, term]
    else ask.files = [...ask.files, term]
    return true
  },
  status(ask, { value, isNot }) {
    const state = own(states, value)
    if (state === undefined || isNot) return false
    ask.states = [...ask.states, state]
    return true
  },
  verdict(ask, { value, isNot }) {
    const verdict = own(verdicts, value)
    if (verdict === undefined || isNot) return false
    ask.verdicts = [...ask.verdicts, verdict]
    return true
  },
  cost(ask, { value, isNot }) {
    const [, sign, digits] = /^([<>]?=?)\$?(\d{1,9}(?:\.\d{1,9})?|\.\d{1,9})$/.exec(value) ?? []
    if (digits === undefined || isNot) return false
    if (sign?.startsWith("<")) ask.costTo = Number(digits)
    else ask.costFrom = Number(digits)
    return true
  },
  after: (ask, piece, context) => setTime(ask, "after", piece, context),
  before: (ask, piece, context) => setTime(ask, "before", piece, context),
  tree(ask, { value, isNot }) {
    if (!/^ses_\w{1,64}$/.test(value) || isNot) return false
    ask.trees = [...ask.trees, value]
    return true
  },
} satisfies Record<string, Filter>)

function facet(name: FacetName): Filter {
  return (ask, { value, isNot }, { person }) => {
    const asked = facetValue(name, value, person)
    if (asked === null) return false
    const list = isNot ? ask.isNot : ask.is
    const values = list.find((filter) => filter.name === name)?.values ?? []
    const next = [...list.filter((filter) => filter.name !== name), { name, values: [...values, asked] }]
    if (isNot) ask.isNot = next
    else ask.is = next
    return true
  }
}

function facetValue(name: FacetName, value: string, person: string): string | null {
  const lower = value.toLowerCase()
  if (lower === "") return null
  if (name === "by" && lower === "me") return person.toLowerCase()
  if (name !== "kind") return lower
  return searchKinds.find((kind): kind is SearchKind => kind === lower || `${kind}s` === lower) ?? null
}

function setTime(ask: Draft, side: "after" | "before", { value, isNot }: QueryPiece, context: SearchContext): boolean {
  const at = parseTime(value, context)
  if (at === null || isNot) return false
  ask[side] = at
  return true
}

function own<T>(values: Record<string, T>, name: string): T | undefined {
  const key = name.toLowerCase()
  return Object.hasOwn(values, key) ? values[key] : undefined
}

function addWords(ask: Draft, { source, value, name, isNot, isPhrase }: QueryPiece, isUnfinished: boolean): void {
  // What looks like a filter and is none is a word with a colon in it.
  const text = name === null ? value : source
  const term = termOf(text, text.endsWith("*") || (isUnfinished && !isPhrase))
  if (term === null) return
  if (isNot) ask.without = [...ask.without, term]
  else ask.terms = [...ask.terms, term]
}

function termOf(text: string, isPrefix: boolean): SearchTerm | null {
  const words = [...wordsIn(text)].filter(({ isJoined }) => !isJoined).map((word) => word.text)
  return words.length === 0 ? null : { words: words.slice(0, searchLimits.pieces), isPrefix }
}

function isEmpty(ask: SearchAsk): boolean {
  return Object.values(ask).every((value) => value === null || (Array.isArray(value) && value.length === 0))
}

const day = 86_400_000
const spans: Record<string, number> = { m: 60_000, h: 3_600_000, d: day, w: 7 * day }

/**
 * The moment (epoch ms) that a query names: a day, a month or a year, by whose beginning it is meant, a time of day
 * (`2026-11-01T14:30`), `today`, `yesterday`, or how long ago (`24h`, `7d`, `2w`). Null for anything else.
 */
function parseTime(text: string, { now, utcOffset }: { now: number; utcOffset: number }): number | null {
  const value = text.toLowerCase()
  const offset = utcOffset * 60_000
  const today = Math.floor((now + offset) / day) * day - offset
  if (value === "today") return today
  if (value === "yesterday") return today - day
  const [, count, unit = ""] = /^(\d{1,6})([mhdw])$/.exec(value) ?? []
  if (count !== undefined) return now - Number(count) * (spans[unit] ?? 0)
  const [, date, hour = "00:00"] = /^(\d{4}(?:-\d\d){0,2})(?:t(\d\d:\d\d))?$/.exec(value) ?? []
  if (date === undefined) return null
  const at = Date.parse(`${date}${"-01-01".slice(0, 10 - date.length)}T${hour}Z`)
  return Number.isNaN(at) ? null : at - offset
}
