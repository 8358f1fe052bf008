import type { Mutation } from "./port/index.ts"

/** A row by the name of its table. */
export interface NewRow {
  table:
    | "Session"
    | "Message"
    | "Part"
    | "Todo"
    | "TodoChange"
    | "Turn"
    | "Task"
    | "ReviewThread"
    | "ReviewComment"
    | "ReviewVerdict"
    | "ReviewViewed"
    | "PermissionRequest"
  id: string
}

/** The rows that mutations put where there are none yet. */
export function newRows(mutations: readonly Mutation[]): NewRow[] {
  return mutations.flatMap((mutation): NewRow[] => {
    switch (mutation.kind) {
      case "session":
        return [{ table: "Session", id: mutation.value.id }]
      case "message":
        return [{ table: "Message", id: mutation.value.id }]
      case "part":
        return [{ table: "Part", id: mutation.value.id }]
      case "todos":
        return [
          ...mutation.value.map(({ id }) => ({ table: "Todo" as const, id })),
          ...(mutation.changes ?? []).map(({ id }) => ({ table: "TodoChange" as const, id })),
        ]
      case "turn":
        return [{ table: "Turn", id: mutation.value.id }]
      case "task":
        return [{ table: "Task", id: mutation.value.id }]
      case "thread":
        return [{ table: "ReviewThread", id: mutation.value.id }]
      case "comment":
        return [{ table: "ReviewComment", id: mutation.value.id }]
      case "verdict":
        return [{ table: "ReviewVerdict", id: mutation.value.id }]
      case "viewed":
        return [{ table: "ReviewViewed", id: mutation.value.id }]
      case "permission":
        return [{ table: "PermissionRequest", id: mutation.value.id }]
      default:
        return []
    }
  })
}
