import { records, type TaskStore, taskSummary } from "@docket/core/store"
import { storedList, storedOrNull } from "../row/stored.ts"
import type { Client } from "../sql/database.ts"
import { data, maxInt, type StoreScope } from "./store-scope.ts"
import { tasksOfTree } from "./tree-reads.ts"
import { untoldTasks } from "./turn-reads.ts"

type TaskFilter = NonNullable<NonNullable<Parameters<Client["task"]["findMany"]>[0]>["where"]>

const oldestFirst = [{ created: "asc" }, { id: "asc" }] as const
const byNumber = [{ number: "asc" }, { id: "asc" }] as const

export function taskStore(scope: StoreScope): TaskStore {
  const { tenantID, read } = scope
  const rows = (where: TaskFilter, order: typeof oldestFirst | typeof byNumber) =>
    read(({ task }) => task.findMany({ where: { tenantID, ...where }, orderBy: [...order], select: data }))
  const list = async (where: TaskFilter, order: typeof oldestFirst | typeof byNumber) =>
    storedList(scope, records.Task, await rows(where, order))
  return {
    async get(id) {
      const where = { tenantID_id: { tenantID, id } }
      return storedOrNull(scope, records.Task, await read(({ task }) => task.findUnique({ where, select: data })))
    },
    async byChild(sessionID) {
      const newestFirst = [{ number: "desc" as const }, { id: "desc" as const }]
      const row = await read(({ task }) =>
        task.findFirst({ where: { tenantID, sessionID }, orderBy: newestFirst, select: data }),
      )
      return storedOrNull(scope, records.Task, row)
    },
    async byNumber(rootID, number) {
      if (number > maxInt) return null
      const where = { tenantID, rootID, number }
      const row = await read(({ task }) => task.findFirst({ where, orderBy: { id: "asc" }, select: data }))
      return storedOrNull(scope, records.Task, row)
    },
    tree: async (rootID) => (await read({ program: () => tasksOfTree(scope, rootID) })).map(taskSummary),
    open: (rootID) =>
      list({ state: { in: ["queued", "running"] }, ...(rootID !== undefined && { rootID }) }, oldestFirst),
    held: () => list({ state: "awaiting_review" }, oldestFirst),
    untold: (rootID) => scope.read({ program: () => untoldTasks(scope, rootID) }),
    async withWorktree() {
      const found = await rows({ worktree: { in: ["active", "ready", "conflict"] } }, byNumber)
      const tasks = storedList(scope, records.Task, found)
      return { tasks, unread: found.length - tasks.length }
    },
  }
}
