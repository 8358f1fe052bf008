import { expect, test } from "vitest"
import { childOf, putSessions, root, task, verdict } from "../../contract/rows.ts"
import { createBus } from "../../ground/event/bus.ts"
import { createJournal } from "../../ground/event/journal.ts"
import type { EventProperties, Task } from "../../ground/schema/index.ts"
import { createInMemoryStore } from "../../ground/store/index.ts"
import { createTaskRows } from "./task-rows.ts"

type Listed = EventProperties<"task.listed">

async function setUp() {
  const store = createInMemoryStore()
  const onError = (error: unknown) => {
    throw error
  }
  const bus = createBus(onError)
  const journal = createJournal({ store, bus })
  const session = await putSessions(store, root({ title: "Shop" }))
  const child = childOf(session)
  await putSessions(store, child)
  const rows = createTaskRows({ store, bus, pauseMs: 1, onError })
  const told: Listed[] = []
  let arrived = () => {}
  bus.subscribe((event) => {
    if (event.type !== "task.listed") return
    told.push(event.properties)
    arrived()
  })
  /** Resolves once a matching row was published. */
  const until = (matches: (row: Listed) => boolean) =>
    new Promise<void>((resolve) => {
      arrived = () => {
        if (told.some(matches)) resolve()
      }
      arrived()
    })
  const put = (value: Task) => journal.commit(session.id, [{ kind: "task", value }])
  return { journal, rows, session, child, told, until, put }
}

test("held, ended or judged tasks are announced with title and judges", async () => {
  const { journal, rows, session, child, told, until, put } = await setUp()
  const work = task(child, 1, { state: "running", time: { created: 1, started: 2, ended: null } })
  await put({ ...work, state: "completed", time: { ...work.time, ended: 3 } })
  expect(told).toEqual([])
  rows.follow()
  await put(work)
  await put({ ...work, state: "awaiting_review" })
  await until((row) => row.task.state === "awaiting_review")
  await put({ ...work, state: "completed", time: { ...work.time, ended: 9 } })
  await until((row) => row.task.state === "completed")
  const given = verdict(work)
  await journal.commit(session.id, [{ kind: "verdict", value: given }])
  await until(({ judgedBy }) => judgedBy.length > 0)
  await journal.commit(session.id, [{ kind: "verdict", value: { ...given, time: { ...given.time, withdrawn: 10 } } }])
  await until(() => told.at(-1)?.judgedBy.length === 0 && told.some(({ judgedBy }) => judgedBy.length > 0))
  expect(new Set(told.map(({ title }) => title))).toEqual(new Set(["Shop"]))
  expect(told.find(({ judgedBy }) => judgedBy.length > 0)?.judgedBy).toEqual([given.by.person])
  expect(told.map(({ task: row }) => row.state)).not.toContain("running")
  rows.close()
})
