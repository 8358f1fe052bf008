import type { CreateId } from "../../ground/id/create-id.ts"
import type { Todo } from "../../ground/schema/index.ts"
import type { Store } from "../../ground/store/index.ts"
import { changeTodo } from "./change-todo.ts"
import { effectiveChanges } from "./effective-changes.ts"
import { newTodo } from "./new-todo.ts"
import type { PlannedStep } from "./todo-service.ts"
import type { DatedOrigin, TodoPlace, TodoWriter } from "./todo-writer.ts"

/** Changes of a list that are looked through for steps that were added before. */
const lookedThrough = 10_000

interface AddStepsDeps {
  store: Pick<Store, "todo" | "write">
  writer: Pick<TodoWriter, "replace">
  createID: CreateId
}

/** Adds those steps to a session's list that were not added before, in one change. Call it in the list's order. */
export async function addSteps(
  { store, writer, createID }: AddStepsDeps,
  steps: readonly PlannedStep[],
  { place, by }: { place: NonNullable<TodoPlace>; by: DatedOrigin },
): Promise<{ added: Todo[]; known: number }> {
  const { sessionID } = place
  const known = await addedBefore(store.todo, sessionID)
  const fresh = steps.filter(({ content, plan }) => !known.has(keyOf(plan.file, content)))
  if (fresh.length === 0) return { added: [], known: steps.length }
  const stored = await store.todo.list(sessionID)
  const first = await store.write.reserveTodoNumbers(fresh.length)
  const end = 1 + (stored.at(-1)?.position ?? -1)
  const added = fresh.map(({ content, description, status, plan }, index) => {
    const given = { number: first + index, sessionID, content, position: end + index, agent: null, now: by.at }
    return { ...changeTodo(newTodo({ id: createID("todo"), ...given }), { description, status }, by.at), plan }
  })
  await writer.replace(place, stored, [...stored, ...added], by)
  return { added, known: steps.length - fresh.length }
}

/** What an undo took back does not count. */
async function addedBefore(store: Pick<Store["todo"], "history">, sessionID: string): Promise<Set<string>> {
  const changes = effectiveChanges(await store.history({ sessionID, limit: lookedThrough }))
  return new Set(
    changes.flatMap(({ before, after }) =>
      before === null && after?.plan ? [keyOf(after.plan.file, after.content)] : [],
    ),
  )
}

function keyOf(file: string, content: string): string {
  return JSON.stringify([file, content])
}
