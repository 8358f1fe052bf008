import { parseSearch, type SearchAsk, type SearchTerm } from "../../ground/query/index.ts"
import type { Caller, Part, Session } from "../../ground/schema/index.ts"
import { byCreation, callState, type SearchPlace, type Store, searchedText } from "../../ground/store/index.ts"
import { callText } from "./call-text.ts"
import { excerptOf } from "./excerpt.ts"
import type { SearchIndex } from "./search-index.ts"
import type { FoundRow, SearchHit, SearchService } from "./search-service.ts"

export interface SearchDeps {
  store: Pick<Store, "search" | "session" | "transcript">
  index: Pick<SearchIndex, "freshen">
  sessionByID(id: string): Promise<Session>
  clock: () => number
}

/** Hits of a page when the caller does not say, and at most. */
const pageSize = { default: 20, max: 100 }
/** Rows that are found in one tree; nobody steps through more. */
const mostRows = 500

type Query = Parameters<SearchService["find"]>[0]

/** The searches of one caller. */
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

/** Titles are no rows of a transcript. */
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
    // Removed while it was looked for.
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
