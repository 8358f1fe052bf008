import { type Change, records } from "@docket/core/store"
import { rowOf } from "../row/row-data.ts"
import { type Program, upsert } from "../sql/program.ts"
import type { Rows, TableName } from "../sql/tables.ts"
import type { Numbered } from "./numbered.ts"
import type { Scope } from "./scope.ts"
import { settleTasks } from "./settle-tasks.ts"
import { writeReviews } from "./write-reviews.ts"
import { writeSessions } from "./write-sessions.ts"
import { writeTodos } from "./write-todos.ts"

/**
 * Writes the rows of mutations that remove nothing, parents before children. Returns the changes in the order of the
 * mutations. A row that changes several times is written once, in its last state.
 */
export function* writeRows(scope: Scope, asked: Numbered[]): Program<Change[]> {
  const mutations = yield* settleTasks(scope, asked)
  const sessions = yield* writeSessions(scope, mutations)
  const todos = yield* writeTodos(scope, mutations)
  const reviews = yield* writeReviews(scope, mutations)
  const rows = { Message: rowsOf("Message"), Part: rowsOf("Part"), Turn: rowsOf("Turn"), Task: rowsOf("Task") }
  const permissions = rowsOf("PermissionRequest")
  const changes: Change[] = []
  for (const numbered of mutations) {
    const { rootID, seq, mutation } = numbered
    const place = { tenantID: scope.tenantID, rootID, seq }
    switch (mutation.kind) {
      case "session":
      case "session.patch":
      case "session.note":
      case "session.notes.read":
      case "session.used":
      case "session.read":
        changes.push(...(sessions.get(numbered) ?? []))
        break
      case "todos":
      case "todo":
      case "todo.remove":
        changes.push(...(todos.get(numbered) ?? []))
        break
      case "message":
        rows.Message.set(mutation.value.id, rowOf(records.Message, place, mutation.value))
        changes.push({ rootID, seq, kind: "message", value: mutation.value })
        break
      case "part":
        rows.Part.set(mutation.value.id, rowOf(records.Part, place, mutation.value))
        changes.push({ rootID, seq, kind: "part", value: mutation.value, quiet: mutation.quiet ?? false })
        break
      case "turn":
        rows.Turn.set(mutation.value.id, rowOf(records.Turn, place, mutation.value))
        changes.push({ rootID, seq, kind: "turn", value: mutation.value })
        break
      case "task":
        rows.Task.set(mutation.value.id, rowOf(records.Task, place, mutation.value))
        changes.push({ rootID, seq, kind: "task", value: mutation.value })
        break
      case "thread":
      case "comment":
      case "comment.change":
      case "verdict":
      case "viewed":
        changes.push(...(reviews.get(numbered) ?? []))
        break
      case "permission":
        permissions.set(mutation.value.id, rowOf(records.PermissionRequest, place, mutation.value))
        changes.push({ rootID, seq, kind: "permission", value: mutation.value })
        break
    }
  }
  yield* upsert("Message", [...rows.Message.values()])
  yield* upsert("Part", [...rows.Part.values()])
  yield* upsert("Turn", [...rows.Turn.values()])
  yield* upsert("Task", [...rows.Task.values()])
  yield* upsert("PermissionRequest", [...permissions.values()])
  return changes
}

function rowsOf<T extends TableName>(_table: T): Map<string, Rows[T]> {
  return new Map()
}
