import type { PermissionStore, Store } from "../port/index.ts"
import { grantStore } from "../record/permission.ts"
import { recordPorts } from "../record/records.ts"
import { inMemoryAudit } from "./audit.ts"
import { inMemoryMemories } from "./memories.ts"
import { inMemoryRecords } from "./records.ts"
import { inMemoryReviews } from "./reviews.ts"
import { inMemorySearch } from "./search.ts"
import { inMemorySessions } from "./sessions.ts"
import { inMemoryShareCopies } from "./share-copies.ts"
import { createTables, type Tables } from "./tables.ts"
import { inMemoryTasks } from "./tasks.ts"
import { inMemoryTodos } from "./todos.ts"
import { inMemoryTranscript } from "./transcript.ts"
import { inMemoryWebhooks } from "./webhooks.ts"
import { inMemoryWrite } from "./write.ts"

/** A store in memory, for tests and throw-away runs. Values that it returns are frozen. */
export function createInMemoryStore(): Store {
  const tables = createTables()
  const records = inMemoryRecords(tables)
  return {
    ...recordPorts(records),
    records,
    write: inMemoryWrite(tables),
    feed: {
      head: async (rootID) => (tables.sessions.has(rootID) ? (tables.heads.get(rootID) ?? 0) : null),
      async changesSince(rootID, seq, limit) {
        return (tables.logs.get(rootID)?.since(seq, limit) ?? []).map((change) => {
          if (change.kind === "part") return { ...change, quiet: false }
          if (change.kind !== "session") return change
          return { ...change, created: (tables.sessions.get(change.value.id)?.createdSeq ?? 0) > seq }
        })
      },
    },
    session: inMemorySessions(tables),
    transcript: inMemoryTranscript(tables),
    search: inMemorySearch(tables),
    todo: inMemoryTodos(tables),
    task: inMemoryTasks(tables),
    memory: inMemoryMemories(tables, records),
    review: inMemoryReviews(tables, records),
    permission: { ...createPermissions(tables), ...grantStore(records) },
    turn: {
      get: async (id) => tables.turns.get(id) ?? null,
      open: async ({ sessionID, rootID } = {}) =>
        [...tables.openTurns.values()]
          .filter((turn) => sessionID === undefined || turn.sessionID === sessionID)
          .filter((turn) => rootID === undefined || turn.rootID === rootID)
          .sort((a, b) => oldestFirst(a, b)),
      tree: async (rootID) =>
        [...tables.turns.values()].filter((turn) => turn.rootID === rootID).sort((a, b) => oldestFirst(a, b)),
    },
    shareCopy: inMemoryShareCopies(tables),
    audit: inMemoryAudit(tables, records),
    webhook: inMemoryWebhooks(tables, records),
    close: async () => {},
  }
}

function createPermissions(tables: Tables): Pick<PermissionStore, "get" | "pending" | "answered" | "since"> {
  return {
    get: async (id) => tables.permissions.get(id) ?? null,
    pending: async (rootID) =>
      [...tables.pendingPermissions.values()]
        .filter((request) => rootID === undefined || request.rootID === rootID)
        .sort(oldestFirst),
    answered: async (sessionID, limit) =>
      [...tables.permissions.values()]
        .filter((request) => request.sessionID === sessionID && request.time.replied !== null)
        .sort((a, b) => oldestFirst(b, a))
        .slice(0, limit),
    since: async ({ projectID, since, limit }) =>
      [...tables.permissions.values()]
        .filter(({ time }) => time.created >= since)
        .filter(({ sessionID }) => tables.sessions.get(sessionID)?.value.projectID === projectID)
        .sort((a, b) => oldestFirst(b, a))
        .slice(0, limit),
  }
}

function oldestFirst(a: { id: string; time: { created: number } }, b: { id: string; time: { created: number } }) {
  return a.time.created - b.time.created || (a.id < b.id ? -1 : 1)
}
