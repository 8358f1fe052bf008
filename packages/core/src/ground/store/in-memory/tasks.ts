import type { Task } from "../../schema/index.ts"
import { taskSummary } from "../../schema/task-summary.ts"
import type { TaskStore } from "../port/index.ts"
import { isUntold } from "../task-ends.ts"
import type { Tables } from "./tables.ts"

export function inMemoryTasks(tables: Tables): TaskStore {
  const where = (wanted: (task: Task) => boolean) => [...tables.tasks.values()].filter(wanted).sort(byNumber)
  const ofTree = (rootID: string) => where((task) => task.rootID === rootID)
  return {
    get: async (id) => tables.tasks.get(id) ?? null,
    byChild: async (sessionID) => where((task) => task.sessionID === sessionID).at(-1) ?? null,
    byNumber: async (rootID, number) => ofTree(rootID).find((task) => task.number === number) ?? null,
    tree: async (rootID) => ofTree(rootID).map(taskSummary),
    open: async (rootID) =>
      where(
        (task) => (rootID ?? task.rootID) === task.rootID && (task.state === "queued" || task.state === "running"),
      ).sort(byAge),
    held: async () => where((task) => task.state === "awaiting_review").sort(byAge),
    untold: async (rootID) => where((task) => (rootID ?? task.rootID) === task.rootID && isUntold(task)).sort(byAge),
    withWorktree: async () => ({
      tasks: where((task) => ["active", "ready", "conflict"].includes(task.worktree?.state ?? "")),
      unread: 0,
    }),
  }
}

/** Of one moment, as the ids tell: they ascend. */
function byAge(a: Task, b: Task): number {
  return a.time.created - b.time.created || (a.id < b.id ? -1 : 1)
}

function byNumber(a: Task, b: Task): number {
  return a.number - b.number || (a.id < b.id ? -1 : 1)
}
