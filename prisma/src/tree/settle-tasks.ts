import type { Task } from "@docket/core/schema"
import { deliveredTask, type Mutation, records } from "@docket/core/store"
import { stored } from "../row/stored.ts"
import { number, type Program, query } from "../sql/program.ts"
import type { Numbered } from "./numbered.ts"
import type { Scope } from "./scope.ts"

type TaskMutation = Extract<Mutation, { kind: "task" | "task.new" | "task.told" }>

/**
 * Numbers new tasks in their trees, and reads the rows of tasks to mark as notified: both need the lock of the tree.
 * Every other mutation is unchanged.
 * @throws TaskDeliveredError
 */
export function* settleTasks(scope: Scope, mutations: Numbered[]): Program<Numbered[]> {
  if (!mutations.some(({ mutation: { kind } }) => kind === "task.new" || kind === "task.told")) return mutations
  const last = yield* lastNumbers(scope, mutations)
  const tasks = yield* deliveredTasks(scope, mutations)
  return mutations.map((numbered) => {
    const { rootID, seq, mutation } = numbered
    if (!isTaskMutation(mutation)) return numbered
    const value = settled(mutation, { last: last.get(rootID) ?? 0, tasks })
    last.set(rootID, Math.max(last.get(rootID) ?? 0, value.number))
    tasks.set(value.id, value)
    return { rootID, seq, mutation: { kind: "task", value } }
  })
}

function settled(mutation: TaskMutation, known: { last: number; tasks: Map<string, Task> }): Task {
  switch (mutation.kind) {
    case "task":
      return mutation.value
    case "task.new":
      return { ...mutation.value, number: known.last + 1 }
    case "task.told":
      return deliveredTask(mutation.taskID, known.tasks.get(mutation.taskID))
    default:
      return mutation satisfies never
  }
}

function isTaskMutation(mutation: Mutation): mutation is TaskMutation {
  return mutation.kind === "task" || mutation.kind === "task.new" || mutation.kind === "task.told"
}

/** The largest task number of each tree that gets new tasks. */
function* lastNumbers({ tenantID }: Scope, mutations: Numbered[]): Program<Map<string, number>> {
  const rootIDs = new Set(mutations.flatMap(({ rootID, mutation }) => (mutation.kind === "task.new" ? [rootID] : [])))
  const last = new Map<string, number>()
  for (const rootID of rootIDs) {
    const [row] = yield* query(
      `SELECT COALESCE(MAX("number"), 0) AS "last" FROM "Task" WHERE "tenantID" = $1 AND "rootID" = $2`,
      tenantID,
      rootID,
    )
    if (row) last.set(rootID, number(row, "last"))
  }
  return last
}

/** The rows of the tasks to be marked as notified. */
function* deliveredTasks({ tenantID, dialect }: Scope, mutations: Numbered[]): Program<Map<string, Task>> {
  const ids = mutations.flatMap(({ mutation }) => (mutation.kind === "task.told" ? [{ id: mutation.taskID }] : []))
  if (ids.length === 0) return new Map()
  const rows = yield* query(
    `SELECT t."data" AS "data" FROM ${dialect.jsonRows("$1", { id: "text" }, "r")}
     CROSS JOIN "Task" t WHERE t."tenantID" = $2 AND t."id" = r."id"`,
    JSON.stringify(ids),
    tenantID,
  )
  return new Map(rows.map((row) => stored(records.Task, row)).map((task) => [task.id, task]))
}
