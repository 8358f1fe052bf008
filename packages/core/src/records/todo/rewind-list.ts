import { momentOf } from "../../ground/id/moment-of.ts"
import { listAt } from "../../ground/message/list-at.ts"
import { idPrefix, type Todo, type TodoChange } from "../../ground/schema/index.ts"
import type { Mutation, Store } from "../../ground/store/index.ts"
import type { TodoChangeOrigin } from "./todo-service.ts"
import type { TodoPlace, TodoWriterDeps } from "./todo-writer.ts"

/** Restores todo lists for undo and redo; users and programs cannot call it. */
export interface TodoRewind {
  /**
   * Restores the session's own list to its state just before `id` (of a message or a change), in one commit with
   * `more`. The history records it; tenant-wide items do not change.
   */
  rewind(sessionID: string, id: string, origin: TodoChangeOrigin, more: Mutation[]): Promise<void>
}

/** Changes read first; more are read when these do not go back far enough. */
const firstRead = 200

export async function rewindList(
  deps: TodoWriterDeps & { clock: () => number },
  place: NonNullable<TodoPlace>,
  { id, origin, more }: { id: string; origin: TodoChangeOrigin; more: Mutation[] },
): Promise<void> {
  const { sessionID, rootID } = place
  const current = await deps.store.todo.list(sessionID)
  const later = await changesSince(deps.store.todo, sessionID, momentOf(id))
  const mutations = later.length === 0 ? [] : [rewound(deps, { sessionID, current, later, id, origin })]
  await deps.journal.commit(rootID, [...more, ...mutations])
}

async function changesSince(store: Store["todo"], sessionID: string, moment: string): Promise<TodoChange[]> {
  for (let limit = firstRead; ; limit *= 4) {
    const changes = await store.history({ sessionID, limit })
    const later = changes.filter((change) => momentOf(change.id) > moment)
    if (changes.length < limit || later.length < changes.length) return later
  }
}

interface Rewinding {
  sessionID: string
  current: Todo[]
  /** The changes after the moment of `id`. */
  later: TodoChange[]
  /** Of the message or change to which the list goes back. */
  id: string
  origin: TodoChangeOrigin
}

function rewound(
  deps: Pick<TodoWriterDeps, "createID"> & { clock: () => number },
  { sessionID, current, later, id, origin }: Rewinding,
): Mutation {
  const value = listAt(later, current, `${idPrefix.todoChange}_${momentOf(id)}`)
  const before = new Map(current.map((todo) => [todo.id, todo]))
  const after = new Map(value.map((todo) => [todo.id, todo]))
  const at = deps.clock()
  // Recorded even for an item that ends up unchanged, so that the changes in between no longer count.
  const changes = [...new Set(later.map((change) => change.todoID))]
    .filter((todoID) => before.has(todoID) || after.has(todoID))
    .map((todoID): TodoChange => {
      const pair = { before: before.get(todoID) ?? null, after: after.get(todoID) ?? null }
      const author = {
        actor: origin.actor,
        ...(origin.by && { by: origin.by }),
        messageID: origin.messageID ?? null,
        partID: origin.partID ?? null,
      }
      return { id: deps.createID("todoChange"), todoID, sessionID, at, ...author, ...pair, rewinds: id }
    })
  return { kind: "todos", sessionID, value, changes }
}
