import type { SearchAsk } from "../../query/index.ts"
import type { ReviewVerdict, Session } from "../../schema/index.ts"
import type { SearchPlace, SearchStore } from "../port/index.ts"
import { partDocument, type SearchDocument, titleDocument } from "../search-document.ts"
import { documentFits, isSaid, parseSearchCursor, searchCursor, sessionState } from "../search-fits.ts"
import type { Tables } from "./tables.ts"

/** Without an index: everything is looked at. */
export function inMemorySearch(tables: Tables): SearchStore {
  const session = (id: string) => tables.sessions.get(id)?.value
  const isFound = (ask: SearchAsk, document: SearchDocument): boolean => {
    const [own, root] = [session(document.sessionID), session(document.rootID)]
    if (!own || !root || own.time.archived !== null || root.time.archived !== null || !isSaid(document, root))
      return false
    return documentFits(ask, document) && sessionFits(tables, ask, { document, session: own })
  }
  return {
    async find({ ask, limit, cursor }) {
      const from = cursor === undefined ? null : parseSearchCursor(cursor)
      const all = documents(tables)
        .filter((document) => isFound(ask, document))
        .filter((place) => from === null || place.at < from.at || (place.at === from.at && place.id < from.id))
        .sort((a, b) => b.at - a.at || (a.id > b.id ? -1 : 1))
      const found = all.slice(0, limit).map(toPlace)
      const last = found.at(-1)
      return { found, next: all.length > limit && last ? searchCursor(last) : null }
    },
    index: async () => false,
    progress: async () => ({ indexed: 0, all: 0 }),
  }
}

function documents(tables: Tables): SearchDocument[] {
  const titles = [...tables.sessions.values()].map(({ value }) => titleDocument(value))
  const parts = [...tables.parts.values()].flatMap((part) => {
    const message = tables.messages.get(part.messageID)
    const session = tables.sessions.get(part.sessionID)?.value
    return (message && session && partDocument(part, message, session.rootID)) ?? []
  })
  return [...titles, ...parts]
}

function sessionFits(
  tables: Tables,
  { costFrom, costTo, states, verdicts }: SearchAsk,
  { document, session }: { document: SearchDocument; session: Session },
): boolean {
  if (costFrom !== null && session.cost < costFrom) return false
  if (costTo !== null && session.cost > costTo) return false
  const state = document.state ?? sessionState(session)
  if (states.length > 0 && (state === null || !states.includes(state))) return false
  const standing = [...tables.verdicts.values()].filter(
    (verdict) => verdict.sessionID === session.id && stands(tables, verdict),
  )
  return verdicts.length === 0 || standing.some(({ verdict }) => verdicts.includes(verdict))
}

/** The newest of a person that is not withdrawn. */
function stands(tables: Tables, { id, taskID, by, time }: ReviewVerdict): boolean {
  if (time.withdrawn !== null) return false
  return ![...tables.verdicts.values()].some(
    (other) =>
      other.taskID === taskID && other.by.person === by.person && other.time.withdrawn === null && other.id > id,
  )
}

function toPlace({ id, kind, at, rootID, sessionID, messageID }: SearchDocument): SearchPlace {
  return { id, kind, at, rootID, sessionID, messageID }
}
