import {
  parseSearch,
  type SearchAsk,
  type SearchKind,
  type SearchState,
  type SearchTerm,
} from "../../ground/query/index.ts"
import type { Caller, Part, Session } from "../../ground/schema/index.ts"
import { byCreation, callState, type SearchPlace, type Store, searchedText } from "../../ground/store/index.ts"
import { callText } from "./call-text.ts"
import { type Excerpt, excerptOf } from "./excerpt.ts"
import type { SearchIndex } from "./search-index.ts"

/** A search result: the title of a session, or a part of its transcript. */
export interface SearchHit {
  kind: SearchKind
  /** The time of the result (epoch ms). */
  at: number
  session: Pick<Session, "id" | "rootID" | "parentID" | "projectID" | "title" | "agent" | "time" | "visibility">
  /** The root session of its tree. */
  root: SearchHit["session"]
  /** Null for a title. `tool` and `state` are set for calls only. */
  part: { id: string; messageID: string; tool: string | null; state: SearchState | null } | null
  /** The text around the match, from the title or the part. */
  excerpt: Excerpt
}

/** Facts about the query that every kind of search returns. */
interface SearchAnswer {
  /** Parts of the query that were ignored, in words for people. */
  problems: string[]
  /** The share of all content that is indexed, from 0 to 1; below 1, older results may be missing. */
  indexed: number
}

export interface SearchPage extends SearchAnswer {
  hits: SearchHit[]
  /** Cursor of the next page; null at the end. */
  next: string | null
}

/** A transcript row that matches. */
export interface FoundRow {
  sessionID: string
  messageID: string
  partID: string
}

export interface FoundRows extends SearchAnswer {
  /** In tree order: the root session first, then its children by creation. */
  rows: FoundRow[]
  /** There are more, older rows. */
  isMore: boolean
}

/** A query and how to read it, see `parseSearch`. */
interface Query {
  text: string
  /** Minutes by which the user's clock is ahead of UTC; default 0. */
  utcOffset?: number | undefined
  /** The last word may be incomplete. */
  isTyping?: boolean | undefined
}

export interface SearchService {
  /** Matches in all sessions, newest first. @throws invalid_input for an unknown cursor */
  find(query: Query & { limit?: number | undefined; cursor?: string | undefined }): Promise<SearchPage>
  /** Every matching row in the tree that contains the session. @throws session_not_found */
  rows(sessionID: string, query: Query): Promise<FoundRows>
}

interface SearchDeps {
  store: Pick<Store, "search" | "session" | "transcript">
  index: Pick<SearchIndex, "freshen">
  sessionByID(id: string): Promise<Session>
  clock: () => number
}

/** Hits per page: by default, and at most. */
const pageSize = { default: 20, max: 100 }
/** Most rows found in one tree; nobody steps through more. */
const mostRows = 500

/** Searches in the name of one caller. */
export function createSearch(deps: SearchDeps, caller: Caller): SearchService {
  const read = ({ text, utcOffset = 0, isTyping = false }: Query) =>
    parseSearch(text, { now: deps.clock(), utcOffset, person: caller.person, isTyping })
  return {
    async find(query) {
      const { ask, problems } = read(query)
      if (ask === null) return { hits: [], next: null, problems, indexed: 1 }
      const indexed = await deps.index.freshen()
      const limit = Math.min(query.limit ?? pageSize.default, pageSize.max)
      const { found, next } = await deps.store.search.find({ ask, limit, cursor: query.cursor })
      return { hits: await toHits(deps.store, ask.terms, found), next, problems, indexed }
    },
    async rows(sessionID, query) {
      const { rootID } = await deps.sessionByID(sessionID)
      const { ask, problems } = read(query)
      if (ask === null) return { rows: [], isMore: false, problems, indexed: 1 }
      const indexed = await deps.index.freshen()
      const { found, next } = await deps.store.search.find({ ask: rowsOnly(ask, rootID), limit: mostRows })
      const sessions = await deps.store.session.tree(rootID)
      return { rows: inTreeOrder(sessions, found), isMore: next !== null, problems, indexed }
    },
  }
}

/** Titles are not rows of a transcript, so they are excluded. */
function rowsOnly(ask: SearchAsk, rootID: string): SearchAsk {
  return { ...ask, trees: [rootID], isNot: [...ask.isNot, { name: "kind", values: ["title", "child"] }] }
}

function inTreeOrder(sessions: readonly Session[], found: readonly SearchPlace[]): FoundRow[] {
  const order = new Map([...sessions].sort(byCreation).map(({ id }, index) => [id, index]))
  return found
    .flatMap(({ id, sessionID, messageID }) => (messageID === null ? [] : { partID: id, sessionID, messageID }))
    .sort((a, b) => (order.get(a.sessionID) ?? 0) - (order.get(b.sessionID) ?? 0) || (a.partID < b.partID ? -1 : 1))
}

async function toHits(
  store: SearchDeps["store"],
  terms: readonly SearchTerm[],
  places: readonly SearchPlace[],
): Promise<SearchHit[]> {
  const ids = [...new Set(places.flatMap(({ sessionID, rootID }) => [sessionID, rootID]))]
  const partIDs = places.filter(({ messageID }) => messageID !== null).map(({ id }) => id)
  const [sessions, { parts }] = await Promise.all([
    Promise.all(ids.map((id) => store.session.get(id))),
    store.transcript.named({ messageIDs: [], partIDs }),
  ])
  const sessionOf = new Map(sessions.flatMap((session) => (session ? [[session.id, session] as const] : [])))
  const partOf = new Map(parts.map((part) => [part.id as string, part]))
  return places.flatMap((place): SearchHit[] => {
    const [session, root] = [sessionOf.get(place.sessionID), sessionOf.get(place.rootID)]
    const part = partOf.get(place.id)
    // The session was removed during the search.
    if (!session || !root || (place.messageID !== null && part === undefined)) return []
    const { kind, at } = place
    const of = { kind, at, session: shown(session), root: shown(root) }
    return [
      { ...of, part: part === undefined ? null : shownPart(part), excerpt: excerptOf(textOf(part, session), terms) },
    ]
  })
}

function shown(session: Session): SearchHit["session"] {
  const { id, rootID, parentID, projectID, title, agent, time, visibility } = session
  return { id, rootID, parentID, projectID, title, agent, time, ...(visibility && { visibility }) }
}

function shownPart(part: Part): NonNullable<SearchHit["part"]> {
  const { id, messageID } = part
  if (part.type !== "tool") return { id, messageID, tool: null, state: null }
  return { id, messageID, tool: part.tool, state: part.state.status === "pending" ? null : callState(part.state) }
}

function textOf(part: Part | undefined, session: Session): string {
  if (part === undefined) return session.title
  return part.type === "text" ? searchedText(part) : part.type === "tool" ? callText(part, searchedText(part)) : ""
}
