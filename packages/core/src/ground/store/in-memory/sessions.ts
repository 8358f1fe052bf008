import { roundCost, totalTokens } from "../../message/token-usage.ts"
import type { Session, SessionListItem } from "../../schema/index.ts"
import { asciiLower } from "../ascii-lower.ts"
import type { SessionStore } from "../port/index.ts"
import { onlyReader } from "../private-tree.ts"
import { byCreation, listCursor, parseListCursor } from "../session-order.ts"
import type { Tables } from "./tables.ts"

export function inMemorySessions(tables: Tables): SessionStore {
  const sessions = (ids: readonly string[] = []): Session[] =>
    ids.flatMap((id) => tables.sessions.get(id)?.value ?? []).sort(byCreation)
  return {
    get: async (id) => tables.sessions.get(id)?.value ?? null,
    async listRoots({ projectID, search, archived, limit, cursor }) {
      const after = cursor === undefined ? null : parseListCursor(cursor)
      const wanted = search === undefined ? "" : asciiLower(search)
      const roots: Session[] = []
      for (const { value } of tables.sessions.values()) {
        if (value.parentID !== null || (value.time.archived !== null) !== archived) continue
        if (projectID !== undefined && value.projectID !== projectID) continue
        if (!asciiLower(value.title).includes(wanted)) continue
        if (
          after &&
          !(value.time.updated < after.updated || (value.time.updated === after.updated && value.id > after.id))
        )
          continue
        roots.push(value)
      }
      roots.sort((a, b) => b.time.updated - a.time.updated || (a.id < b.id ? -1 : 1))
      const page = roots.slice(0, limit)
      const last = page.at(-1)
      return {
        items: page.map((session) => listItem(tables, session)),
        cursor: last && roots.length > limit ? listCursor(last.id, last.time.updated) : null,
      }
    },
    listed: async (rootIDs) =>
      sessions(rootIDs)
        .filter(({ parentID }) => parentID === null)
        .map((session) => listItem(tables, session)),
    tree: async (rootID) => sessions(tables.treeSessions.get(rootID)),
    children: async (parentID) => sessions(tables.children.get(parentID)),
    childByOrigin: async (parentID, callID) =>
      sessions(tables.children.get(parentID)).find((child) => child.origin?.callID === callID) ?? null,
    async private() {
      return [...tables.sessions.values()].flatMap(({ value }) => {
        const person = onlyReader(value)
        return person === null ? [] : { rootID: value.id, person }
      })
    },
  }
}

function listItem(tables: Tables, session: Session): SessionListItem {
  const item: SessionListItem = {
    session,
    running: 0,
    needsYou: 0,
    reviews: 0,
    treeCost: 0,
    treeTokens: 0,
    children: -1,
  }
  for (const id of tables.treeSessions.get(session.id) ?? []) {
    const value = tables.sessions.get(id)?.value
    if (!value) continue
    if (value.status.type !== "idle") item.running++
    item.treeCost = roundCost(item.treeCost + value.cost)
    item.treeTokens += totalTokens(value.tokens)
    item.children++
  }
  for (const request of tables.pendingPermissions.values()) if (request.rootID === session.id) item.needsYou++
  for (const task of tables.tasks.values())
    if (task.rootID === session.id && task.state === "awaiting_review") item.reviews++
  item.needsYou += item.reviews
  return item
}
