import type { Todo, TodoPriority, TodoStatus } from "@docket/core/schema"

/** The fields of a todo that a user changes in the browser. */
export interface TodoPatch {
  content?: string
  description?: string
  status?: TodoStatus
  priority?: TodoPriority
  /** Position in the list, from 0. */
  position?: number
  /** Null declines the proposal that the item is done. */
  proposed?: null
}

/** An edit that the page shows before the service has answered (optimistic update). */
export type TodoEdit =
  | { kind: "update"; id: string; patch: TodoPatch }
  | { kind: "remove"; id: string }
  | { kind: "add"; id: string; todo: Todo }

/** A shown edit, until the live list contains its result. */
export interface PendingEdit {
  key: number
  edit: TodoEdit
  /** The result from the service; null until it answers. */
  settled: Todo | "removed" | null
  /** Live lists that arrived before the answer: they may already have contained the result. */
  arrived: readonly (readonly Todo[])[]
}

/** The expected list after the service has applied the edits. */
export function applyEdits(todos: readonly Todo[], edits: readonly PendingEdit[]): Todo[] {
  return edits.reduce((list, pending) => (isShown(todos, pending) ? list : applyEdit(list, pending)), [...todos])
}

/** The edits that remain after a live list arrives. Once a list has contained an edit's result, the edit is dropped. */
export function afterList(edits: readonly PendingEdit[], list: readonly Todo[]): readonly PendingEdit[] {
  if (edits.length === 0) return edits
  return edits.flatMap((pending) => {
    if (pending.settled === null) return [{ ...pending, arrived: [...pending.arrived, list] }]
    return isShown(list, pending) ? [] : [pending]
  })
}

/** The edits that remain after the service has applied one. */
export function afterAnswer(
  edits: readonly PendingEdit[],
  key: number,
  settled: Todo | "removed",
): readonly PendingEdit[] {
  return edits.flatMap((pending) => {
    if (pending.key !== key) return [pending]
    const answered = { ...pending, settled }
    return pending.arrived.some((list) => isShown(list, answered)) ? [] : [{ ...answered, arrived: [] }]
  })
}

/** Whether a live list contains the edit's result, or a later one. */
function isShown(todos: readonly Todo[], { edit, settled }: PendingEdit): boolean {
  if (settled === null) return false
  if (settled === "removed") return todos.every((todo) => todo.id !== edit.id)
  const live = todos.find((todo) => todo.id === settled.id)
  // A move changes the times of other items too; an edited item that is gone was removed by someone else.
  return edit.kind === "add" ? live !== undefined : live === undefined || live.time.updated >= settled.time.updated
}

function applyEdit(list: Todo[], { edit }: PendingEdit): Todo[] {
  switch (edit.kind) {
    case "add":
      return [...list, edit.todo]
    case "remove":
      return list.filter((todo) => todo.id !== edit.id)
    case "update": {
      const { position, ...patch } = edit.patch
      const changed = list.map((todo) => (todo.id === edit.id ? { ...todo, ...patch } : todo))
      return position === undefined ? changed : moved(changed, edit.id, position)
    }
  }
}

function moved(list: Todo[], id: string, position: number): Todo[] {
  const todo = list.find((candidate) => candidate.id === id)
  if (!todo) return list
  const others = list.filter((candidate) => candidate.id !== id)
  return others.toSpliced(position, 0, todo)
}

/** The unfinished items on which this one depends, as far as they are in the list. */
export function openBlockers(todo: Todo, todos: readonly Todo[]): Todo[] {
  return todos.filter(
    ({ id, status }) => todo.dependsOn.includes(id) && status !== "completed" && status !== "cancelled",
  )
}
