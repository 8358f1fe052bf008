import { expect, it } from "vitest"
import { assistantMessage, newId, permissionRequest, putSessions, root, toolPart } from "../../contract/rows.ts"
import { agentPhases } from "../../ground/message/agent-phases.ts"
import { createInMemoryStore } from "../../ground/store/index.ts"
import { readActivity } from "./session-activity.ts"

it("the activity covers all of a long session, with failures and waits", async () => {
  const store = createInMemoryStore()
  const session = await putSessions(store, root())
  // More than a page; every tenth answer has a failed call, and some have no end time.
  const messages = Array.from({ length: 1_200 }, (_, index) => {
    const created = index * 100
    const completed = index % 7 === 0 ? null : created + 50
    const info = assistantMessage(session, { time: { created, completed } })
    const time = { start: created + 10, end: created + 20 }
    const failed = { status: "error", input: {}, error: "no", metadata: {}, time } as const
    return { info, parts: index % 10 === 0 ? [toolPart(info, failed)] : [] }
  })
  const mutations = messages.flatMap(({ info, parts }) => [
    { kind: "message", value: info } as const,
    ...parts.map((value) => ({ kind: "part", value }) as const),
  ])
  await store.write.commit([{ rootID: session.id, mutations }])
  const all = (await store.transcript.page({ sessionID: session.id, limit: 2_000 })).items
  const newest = all.at(-1)?.info.id

  const { stretches, before } = await readActivity(store, session.id)
  expect(before).toBe(newest)
  // Without the newest message, which was created at 119,900.
  const told = agentPhases(all, false).filter(({ from }) => from < 119_900)
  expect(stretches).toEqual(told.toSorted((a, b) => a.from - b.from))
  expect(stretches.filter(({ kind }) => kind === "error")).toHaveLength(120)

  const time = { created: 5, replied: 7 }
  const value = permissionRequest(session, { status: "once", time })
  await store.write.commit([{ rootID: session.id, mutations: [{ kind: "permission", value }] }])
  expect((await readActivity(store, session.id)).stretches).toContainEqual({ kind: "wait", from: 5, until: 7 })
})

it("the activity of an empty or unknown session is empty", async () => {
  const store = createInMemoryStore()
  const session = await putSessions(store, root())
  expect(await readActivity(store, session.id)).toEqual({ stretches: [], before: null })
  expect(await readActivity(store, newId("session"))).toEqual({ stretches: [], before: null })
})
