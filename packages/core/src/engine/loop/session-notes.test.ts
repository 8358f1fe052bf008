import { expect, test } from "vitest"
import { createBus } from "../../ground/event/bus.ts"
import { createJournal } from "../../ground/event/journal.ts"
import { createIdSource } from "../../ground/id/create-id.ts"
import { createInMemoryStore } from "../../ground/store/index.ts"
import { newSession } from "../../test/entities.ts"
import { createSessionNotes, notesRead } from "./session-notes.ts"

test("a note read by another runtime is not read again here", async () => {
  const createID = createIdSource()
  const store = createInMemoryStore()
  const journal = createJournal({ store, bus: createBus(console.error) })
  const session = newSession(createID)
  await journal.commit(session.id, [{ kind: "session", value: session }])
  const notesOfRuntime = () => createSessionNotes({ store, journal, createID, isShared: true })
  const [worker, onlooker] = [notesOfRuntime(), notesOfRuntime()]
  await onlooker.leave(session, { text: "Dig deeper." })
  // `leave` only stores the note; even its writer learns of it by `look`.
  expect(onlooker.has(session.id)).toBe(false)
  for (const runtime of [worker, onlooker]) await runtime.look(session.id)
  expect(onlooker.has(session.id)).toBe(true)
  const read = await worker.take(session.id)
  expect(read.map(({ text }) => text)).toEqual(["Dig deeper."])
  await journal.commit(session.id, notesRead(session.id, read))
  await onlooker.look(session.id)
  expect(await onlooker.take(session.id)).toEqual([])
})
