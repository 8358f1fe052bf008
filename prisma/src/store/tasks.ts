import { type RecordQuery, records, type TaskStore, taskSummary } from "@docket/core/store"
import { storedList } from "../row/stored.ts"
import { oneRow } from "./one-row.ts"
import { selectRows } from "./select-rows.ts"
import type { StoreScope } from "./store-scope.ts"
import { tasksOfTree } from "./tree-reads.ts"
import { undeliveredTasks } from "./turn-reads.ts"

const oldestFirst = ["created", "id"] as const

export function taskStore(scope: StoreScope): TaskStore {
  const { read } = scope
  const rows = (query: RecordQuery<typeof records.Task>) =>
    read({ program: () => selectRows(scope, records.Task, query) })
  const list = async (query: RecordQuery<typeof records.Task>) => storedList(scope, records.Task, await rows(query))
  const first = async (query: RecordQuery<typeof records.Task>) => (await list({ ...query, limit: 1 }))[0] ?? null
  return {
    get: (id) => oneRow(scope, records.Task, "id", id),
    byChild: (sessionID) => first({ where: { sessionID }, order: ["-number", "-id"] }),
    byNumber: (rootID, number) => first({ where: { rootID, number }, order: ["id"] }),
    tree: async (rootID) => (await read({ program: () => tasksOfTree(scope, rootID) })).map(taskSummary),
    open: (rootID) => list({ where: { state: { in: ["queued", "running"] }, rootID }, order: oldestFirst }),
    held: () => list({ where: { state: "awaiting_review" }, order: oldestFirst }),
    undelivered: (rootID) => read({ program: () => undeliveredTasks(scope, rootID) }),
    async withWorktree() {
      const where = { worktree: { in: ["active", "ready", "conflict"] } }
      const found = await rows({ where, order: ["number", "id"] })
      const tasks = storedList(scope, records.Task, found)
      return { tasks, unread: found.length - tasks.length }
    },
  }
}
