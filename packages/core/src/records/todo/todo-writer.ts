import { isDeepStrictEqual } from "node:util"
import type { Bus } from "../../ground/event/bus.ts"
import type { Journal } from "../../ground/event/journal.ts"
import type { CreateId } from "../../ground/id/create-id.ts"
import type { DocketEvent, Todo, TodoChange } from "../../ground/schema/index.ts"
import type { Store } from "../../ground/store/index.ts"
import type { TodoChangeOrigin } from "./todo-service.ts"

export interface TodoWriterDeps {
  store: Pick<Store, "todo">
  journal: Journal
  bus: Bus
  createID: CreateId
}

/** The session of an item's list; null for the tenant-wide list. */
export type TodoPlace = { sessionID: string; rootID: string } | null

/** Stores todos with the history of their changes, and publishes events. */
export interface TodoWriter {
  put(place: TodoPlace, before: Todo | null, after: Todo, origin: DatedOrigin): Promise<void>
  remove(place: TodoPlace, todo: Todo, origin: DatedOrigin): Promise<void>
  /** Replaces a whole list. Items of `before` that `after` lacks are deleted. */
  replace(place: TodoPlace, before: Todo[], after: Todo[], origin: DatedOrigin): Promise<void>
}

export type DatedOrigin = TodoChangeOrigin & { at: number }

export function createTodoWriter(deps: TodoWriterDeps): TodoWriter {
  const change = (before: Todo | null, after: Todo | null, origin: DatedOrigin): TodoChange => {
    const todo = after ?? before
    if (todo === null) throw new Error("a todo change needs a todo")
    return {
      id: deps.createID("todoChange"),
      todoID: todo.id,
      sessionID: todo.sessionID,
      at: origin.at,
      actor: origin.actor,
      ...(origin.by && { by: origin.by }),
      messageID: origin.messageID ?? null,
      partID: origin.partID ?? null,
      before,
      after,
    }
  }
  const publish = (event: Pick<DocketEvent, "type" | "properties">) =>
    // Each caller passes a type with matching properties.
    deps.bus.publish({ ...event, rootID: null, seq: null } as DocketEvent)
  const writer: TodoWriter = {
    async put(place, before, after, origin) {
      if (place !== null) {
        const mutation = {
          kind: "todo",
          sessionID: place.sessionID,
          value: after,
          change: change(before, after, origin),
        } as const
        await deps.journal.commit(place.rootID, [mutation])
        return
      }
      await deps.store.todo.putTenantWide(after, change(before, after, origin))
      publish({ type: "todo.item.updated", properties: { todo: after } })
    },
    async remove(place, todo, origin) {
      if (place !== null) {
        const mutation = {
          kind: "todo.remove",
          sessionID: place.sessionID,
          todoID: todo.id,
          change: change(todo, null, origin),
        } as const
        await deps.journal.commit(place.rootID, [mutation])
        return
      }
      await deps.store.todo.removeTenantWide(todo.id, change(todo, null, origin))
      publish({ type: "todo.item.removed", properties: { todoID: todo.id } })
    },
    async replace(place, before, after, origin) {
      const pairs = changedPairs(before, after)
      if (place !== null) {
        const changes = pairs.map(([old, todo]) => change(old, todo, origin))
        await deps.journal.commit(place.rootID, [{ kind: "todos", sessionID: place.sessionID, value: after, changes }])
        return
      }
      // The tenant-wide list belongs to no tree, so it has no common commit: a failure keeps the items written before.
      for (const [old, todo] of pairs) {
        if (todo !== null) await writer.put(null, old, todo, origin)
        else if (old !== null) await writer.remove(null, old, origin)
      }
    },
  }
  return writer
}

/** Every todo that differs between two states of a list, removals first. */
function changedPairs(before: Todo[], after: Todo[]): [Todo | null, Todo | null][] {
  const old = new Map(before.map((todo) => [todo.id, todo]))
  const kept = new Set(after.map((todo) => todo.id))
  const removed = before.filter((todo) => !kept.has(todo.id)).map((todo): [Todo, null] => [todo, null])
  const written = after
    .filter((todo) => old.get(todo.id) !== todo && !isDeepStrictEqual(old.get(todo.id), todo))
    .map((todo): [Todo | null, Todo] => [old.get(todo.id) ?? null, todo])
  return [...removed, ...written]
}
