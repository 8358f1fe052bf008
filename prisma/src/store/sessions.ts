import type { Session } from "@docket/core/schema"
import {
  byCreation,
  columnText,
  listCursor,
  parseListCursor,
  records,
  roundCost,
  type SessionListItem,
  type SessionStore,
} from "@docket/core/store"
import { stored, storedList } from "../row/stored.ts"
import { oneRow } from "./one-row.ts"
import { type RootQuery, rootsTitled } from "./roots-titled.ts"
import { data, type StoreScope } from "./store-scope.ts"
import { sessionsOfTree } from "./tree-reads.ts"

type SessionPage = Awaited<ReturnType<SessionStore["listRoots"]>>

export function sessionStore(scope: StoreScope): SessionStore {
  const { tenantID, read } = scope
  return {
    get: (id) => oneRow(scope, records.Session, "id", id),
    listRoots: (query) => listRoots(scope, query),
    async listed(rootIDs) {
      const where = { tenantID, id: { in: [...rootIDs] }, depth: 0 }
      const rows = await read(({ session }) => session.findMany({ where, select: data }))
      return listItems(scope, storedList(scope, records.Session, rows))
    },
    tree: async (rootID) => (await read({ program: () => sessionsOfTree(scope, rootID) })).sort(byCreation),
    async children(parentID) {
      const rows = await read(({ session }) => session.findMany({ where: { tenantID, parentID }, select: data }))
      return storedList(scope, records.Session, rows).sort(byCreation)
    },
    async childByOrigin(parentID, callID) {
      const where = { tenantID, parentID, originCallID: columnText(callID) }
      const row = await read(({ session }) =>
        session.findFirst({ where, orderBy: [{ created: "asc" }, { id: "desc" }], select: data }),
      )
      return row && stored(records.Session, row)
    },
    async private() {
      const where = { tenantID, onlyFor: { not: null } }
      const rows = await read(({ session }) => session.findMany({ where, select: { id: true, onlyFor: true } }))
      return rows.map(({ id, onlyFor }) => ({ rootID: id, person: onlyFor ?? "" }))
    },
  }
}

async function listRoots(scope: StoreScope, query: RootQuery): Promise<SessionPage> {
  const { tenantID, read } = scope
  const { limit } = query
  const where = query.search ? { id: { in: await rootsTitled(scope, query, query.search) } } : pageOf(query)
  const rows = await read(({ session }) =>
    session.findMany({
      where: { tenantID, ...where },
      orderBy: [{ updated: "desc" }, { id: "asc" }],
      take: limit + 1,
      select: { id: true, updated: true, data: true },
    }),
  )
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  return {
    items: await listItems(scope, storedList(scope, records.Session, page)),
    // Of the row and not of the session: the last one may be unreadable.
    cursor: last && rows.length > limit ? listCursor(last.id, last.updated) : null,
  }
}

function pageOf({ archived, projectID, cursor }: RootQuery) {
  return {
    depth: 0,
    archived,
    ...(projectID !== undefined && { projectID }),
    ...(cursor !== undefined && { OR: after(cursor) }),
  }
}

function after(cursor: string) {
  const { updated, id } = parseListCursor(cursor)
  return [{ updated: { lt: updated } }, { updated, id: { gt: id } }]
}

async function listItems({ tenantID, read }: StoreScope, roots: Session[]): Promise<SessionListItem[]> {
  if (roots.length === 0) return []
  const where = { tenantID, rootID: { in: roots.map(({ id }) => id) } }
  const [trees, busy, asking, held] = await Promise.all([
    read(({ session }) =>
      session.groupBy({ by: "rootID", where, _sum: { cost: true, tokens: true }, _count: { _all: true } }),
    ),
    read(({ session }) =>
      session.groupBy({ by: "rootID", where: { ...where, status: { not: "idle" } }, _count: { _all: true } }),
    ),
    read(({ permissionRequest }) =>
      permissionRequest.groupBy({ by: "rootID", where: { ...where, status: "pending" }, _count: { _all: true } }),
    ),
    read(({ task }) =>
      task.groupBy({ by: "rootID", where: { ...where, state: "awaiting_review" }, _count: { _all: true } }),
    ),
  ])
  const [running, pending, reviews] = [countByRoot(busy), countByRoot(asking), countByRoot(held)]
  const sums = new Map(trees.map((tree) => [tree.rootID, tree]))
  return roots.map((session) => {
    const tree = sums.get(session.id)
    return {
      session,
      running: running.get(session.id) ?? 0,
      needsYou: (pending.get(session.id) ?? 0) + (reviews.get(session.id) ?? 0),
      reviews: reviews.get(session.id) ?? 0,
      treeCost: roundCost(tree?._sum.cost ?? 0),
      treeTokens: tree?._sum.tokens ?? 0,
      children: (tree?._count._all ?? 1) - 1,
    }
  })
}

function countByRoot(groups: { rootID: string; _count: { _all: number } }[]): Map<string, number> {
  return new Map(groups.map(({ rootID, _count }) => [rootID, _count._all]))
}
