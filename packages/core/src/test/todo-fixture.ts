import { createBus } from "../ground/event/bus.ts"
import { createJournal } from "../ground/event/journal.ts"
import { createIdSource } from "../ground/id/create-id.ts"
import type { DocketEvent } from "../ground/schema/index.ts"
import { createInMemoryStore, type Store } from "../ground/store/index.ts"
import { createTodoService } from "../records/todo/create-todo-service.ts"
import type { TodoChangeOrigin } from "../records/todo/todo-service.ts"
import { newSession } from "./entities.ts"

export const byAgent: TodoChangeOrigin = { actor: { kind: "agent", name: "build" } }
export const byUser: TodoChangeOrigin = { actor: { kind: "user", name: "user" } }

/** A todo service with one root session, on a clock that advances by 1 ms per call. */
export async function todoFixture(store: Store = createInMemoryStore()) {
  let now = 1_000
  const clock = () => now++
  const createID = createIdSource(clock)
  const bus = createBus((error) => {
    throw error
  })
  const events: DocketEvent[] = []
  bus.subscribe((event) => events.push(event))
  const journal = createJournal({ store, bus })
  const session = newSession(createID)
  await journal.commit(session.id, [{ kind: "session", value: session }])
  const todos = createTodoService({ store, journal, bus, createID, clock })
  return { store, journal, session, todos, events, createID }
}
