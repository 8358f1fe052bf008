import type { Todo, TodoPriority, TodoStatus } from "@docket/core/schema"

/** What a person sets on a todo in the browser. */
export interface TodoPatch {
  content?: string
  description?: string
  status?: TodoStatus
  priority?: TodoPriority
  /** Place in the list from 0. */
  position?: number
  /** Declines the proposal that it is done. */
  proposed?: null
}

/** An edit that the page shows before the service has answered. */
export type TodoEdit =
  | { kind: "update"; id: string; patch: TodoPatch }
  | { kind: "remove"; id: string }
  | { kind: "add"; id: string; todo: Todo }

/** An edit until the live list has shown what came of it. */
export interface PendingEdit {
  key: number
  edit: TodoEdit
  /** What the service made of it, null until it answers. */
  settled: Todo | "removed" | null
  /** The live lists that arrived before the answer: its outcome may have come and gone in them. */
  arrived: readonly (readonly Todo[])[]
}

/** The list as it will be once the service has carried out the edits. */
export function applyEdits(todos: readonly Todo[], edits: readonly PendingEdit[]): Todo[] {
  return edits.reduce((list, pending) => (isShown(todos, pending) ? list : applyEdit(list, pending)), [...todos])
}

/** The edits that are left when a live list arrives: once it has shown an outcome, what it shows later is true. */
export function afterList(edits: readonly PendingEdit[], list: readonly Todo[]): readonly PendingEdit[] {
  if (edits.length === 0) return edits
  return edits.flatMap((pending) => {
    if (pending.settled === null) return [{ ...pending, arrived: [...pending.arrived, list] }]
    return isShown(list, pending) ? [] : [pending]
  })
}

/** The edits that are left when the service has carried one out. */
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

/** Whether a live list holds the edit's outcome, or a later one. */
function isShown(todos: readonly Todo[], { edit, settled }: PendingEdit): boolean {
  if (settled === null) return false
  if (settled === "removed") return todos.every((todo) => todo.id !== edit.id)
  const live = todos.find((todo) => todo.id === settled.id)
  // A move changes the times of the others too; an edited item that is gone was removed by someone else.
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

/** The items that must be done first and are not, as far as the list holds them. */
export function openBlockers(todo: Todo, todos: readonly Todo[]): Todo[] {
  return todos.filter(
    ({ id, status }) => todo.dependsOn.includes(id) && status !== "completed" && status !== "cancelled",
  )
}
