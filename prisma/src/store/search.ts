import {
  isSaid,
  MissingParentError,
  parseSearchCursor,
  records,
  type SearchPlace,
  type SearchStore,
  searchCursor,
} from "@docket/core/store"
import { storedOrNull } from "../row/stored.ts"
import { number, type Program, type Row, text } from "../sql/program.ts"
import { postgresSearch } from "./postgres-search.ts"
import type { SearchEngine, SearchStart } from "./search-engine.ts"
import { IndexedElsewhereError, indexChanges, indexProgress } from "./search-index.ts"
import { sqliteSearch } from "./sqlite-search.ts"
import type { StoreScope } from "./store-scope.ts"

type FindQuery = Parameters<SearchStore["find"]>[0]

/** The full-text index (decision 45). Programs, because Prisma's client does not know it. */
export function searchStore(scope: StoreScope): SearchStore {
  const engine = scope.dialect.name === "sqlite" ? sqliteSearch : postgresSearch
  return {
    find: (query) => scope.read({ program: () => find(scope, engine, query) }),
    async index(limit) {
      try {
        return await scope.write({ program: () => indexChanges(scope, engine, limit) })
      } catch (error) {
        // Another process was faster: the next call checks again.
        if (error instanceof IndexedElsewhereError) return true
        // A row to index was removed meanwhile; that change is indexed later.
        if (error instanceof MissingParentError) return false
        throw error
      }
    },
    progress: () => scope.read({ program: () => indexProgress(scope) }),
  }
}

/** Maximum number of index pages that are read for one result page, because undone entries are skipped. */
const mostRounds = 10

function* find(
  scope: StoreScope,
  engine: SearchEngine,
  { ask, limit, cursor }: FindQuery,
): Program<{ found: SearchPlace[]; next: string | null }> {
  const found: SearchPlace[] = []
  let from: SearchStart | null = cursor === undefined ? null : parseSearchCursor(cursor)
  for (let round = 0; round < mostRounds && found.length < limit; round++) {
    const remaining = limit - found.length
    const rows: Row[] = yield* engine.find(scope, { ask, from, limit: remaining + 1 })
    for (const row of rows.slice(0, remaining)) {
      const place = toPlace(row)
      from = { at: place.at, id: place.id }
      if (isSaid(place, { revert: undoneOf(scope, row) })) found.push(place)
    }
    if (rows.length <= remaining) return { found, next: null }
  }
  return { found, next: from && searchCursor(from) }
}

function undoneOf(scope: StoreScope, row: Row) {
  return row.undone === null ? null : storedOrNull(scope, records.Session, { data: row.undone })?.revert
}

function toPlace(row: Row): SearchPlace {
  const { messageID } = row
  return {
    id: text(row, "id"),
    // The cast is safe: the column is only written from this type.
    kind: text(row, "kind") as SearchPlace["kind"],
    at: number(row, "at"),
    rootID: text(row, "rootID"),
    sessionID: text(row, "sessionID"),
    messageID: typeof messageID === "string" ? messageID : null,
  }
}
