import type { Session } from "@docket/core/schema"
import {
  byCreation,
  listCursor,
  parseListCursor,
  type RecordQuery,
  records,
  roundCost,
  type SessionListItem,
  type SessionStore,
} from "@docket/core/store"
import { stored, storedList } from "../row/stored.ts"
import { number, query, type Row, text } from "../sql/program.ts"
import { oneRow } from "./one-row.ts"
import { type RootQuery, rootsTitled } from "./roots-titled.ts"
import { selectRows } from "./select-rows.ts"
import type { StoreScope } from "./store-scope.ts"
import { sessionsOfTree } from "./tree-reads.ts"
import { usage } from "./usage.ts"

type SessionPage = Awaited<ReturnType<SessionStore["listRoots"]>>

export function sessionStore(scope: StoreScope): SessionStore {
  const { read } = scope
  const rows = (query: RecordQuery<typeof records.Session>) =>
    read({ program: () => selectRows(scope, records.Session, query) })
  return {
    get: (id) => oneRow(scope, records.Session, "id", id),
    listRoots: (query) => listRoots(scope, query),
    async listed(rootIDs) {
      const found = await rows({ where: { id: { in: [...rootIDs] }, depth: 0 }, order: [] })
      return listItems(scope, storedList(scope, records.Session, found))
    },
    tree: async (rootID) => (await read({ program: () => sessionsOfTree(scope, rootID) })).sort(byCreation),
    async children(parentID) {
      return storedList(scope, records.Session, await rows({ where: { parentID }, order: [] })).sort(byCreation)
    },
    async childByOrigin(parentID, originCallID) {
      const [row] = await rows({ where: { parentID, originCallID }, order: ["created", "-id"], limit: 1 })
      return row === undefined ? null : stored(records.Session, row)
    },
    usage: (query) => read({ program: () => usage(scope, query) }),
    async private() {
      const found = await rows({ where: { onlyFor: { not: null } }, order: ["onlyFor"] })
      return found.map((row) => ({ rootID: text(row, "id"), person: text(row, "onlyFor") }))
    },
  }
}

async function listRoots(scope: StoreScope, query: RootQuery): Promise<SessionPage> {
  const { limit } = query
  const page = query.search ? { where: { id: { in: await rootsTitled(scope, query, query.search) } } } : pageOf(query)
  const asked = { ...page, order: ["-updated", "id"], limit: limit + 1 } as const
  const rows = await scope.read({ program: () => selectRows(scope, records.Session, asked) })
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  return {
    items: await listItems(scope, storedList(scope, records.Session, shown)),
    // From the row and not from the session, because the last session may be unreadable.
    cursor: last && rows.length > limit ? listCursor(text(last, "id"), number(last, "updated")) : null,
  }
}

function pageOf({ archived, projectID, cursor }: RootQuery) {
  return {
    where: { depth: 0, archived, projectID },
    ...(cursor !== undefined && { either: after(cursor) }),
  }
}

function after(cursor: string) {
  const { updated, id } = parseListCursor(cursor)
  return [{ updated: { lt: updated } }, { updated, id: { gt: id } }]
}

async function listItems(scope: StoreScope, roots: Session[]): Promise<SessionListItem[]> {
  if (roots.length === 0) return []
  const sums = await scope.read({ program: () => sumsOf(scope, roots) })
  return roots.map((session) => {
    const { trees, pending, reviews } = sums
    const tree = trees.get(session.id)
    const reviewCount = reviews.get(session.id) ?? 0
    return {
      session,
      running: tree ? number(tree, "running") : 0,
      needsYou: (pending.get(session.id) ?? 0) + reviewCount,
      reviews: reviewCount,
      treeCost: roundCost(tree ? number(tree, "cost") : 0),
      treeTokens: tree ? number(tree, "tokens") : 0,
      children: (tree ? number(tree, "count") : 1) - 1,
    }
  })
}

/** The sums of the trees: one query per table for all trees. */
function* sumsOf({ tenantID, dialect }: StoreScope, roots: Session[]) {
  const ids = JSON.stringify(roots.map(({ id }) => ({ id })))
  const count = (condition: string) => `CAST(COUNT(${condition}) AS INTEGER)`
  // IN and not JOIN: for a join, SQLite would read all rows and look each one up in the list.
  const sums = (table: string, columns: string, condition = "TRUE") =>
    query(
      `SELECT "rootID", ${columns} FROM "${table}"
       WHERE "tenantID" = $2 AND "rootID" IN (SELECT r."id" FROM ${dialect.jsonRows("$1", { id: "text" }, "r")}) AND ${condition}
       GROUP BY "rootID"`,
      ids,
      tenantID,
    )
  const byRoot = <T>(rows: Row[], read: (row: Row) => T) => new Map(rows.map((row) => [text(row, "rootID"), read(row)]))
  const counted = (rows: Row[]) => byRoot(rows, (row) => number(row, "count"))
  const running = `${count(`CASE WHEN "status" <> 'idle' THEN 1 END`)} AS "running"`
  const ofSessions = `SUM("cost") AS "cost", SUM("tokens") AS "tokens", ${count("*")} AS "count", ${running}`
  const ofOthers = `${count("*")} AS "count"`
  return {
    trees: byRoot(yield* sums("Session", ofSessions), (row) => row),
    pending: counted(yield* sums("PermissionRequest", ofOthers, `"status" = 'pending'`)),
    reviews: counted(yield* sums("Task", ofOthers, `"state" = 'awaiting_review'`)),
  }
}
