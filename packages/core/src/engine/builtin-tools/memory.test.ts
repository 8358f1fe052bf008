import { expect, test } from "vitest"
import { createToolFixture } from "../../acts/tool/test/tool-fixture.ts"
import { createBus } from "../../ground/event/bus.ts"
import { createJournal } from "../../ground/event/journal.ts"
import { createIdSource } from "../../ground/id/create-id.ts"
import type { PermissionConfig } from "../../ground/schema/index.ts"
import { MemoryMetadata } from "../../ground/schema/tool-metadata.ts"
import { createInMemoryStore } from "../../ground/store/index.ts"
import { createMemoryService } from "../../records/memory/create-memory-service.ts"
import { createSessionMemory } from "../../records/memory/session-memory.ts"
import { newSession } from "../../test/entities.ts"
import { createMemoryTool } from "./memory.ts"

async function setUp(rules: PermissionConfig = "allow") {
  const createID = createIdSource()
  const store = createInMemoryStore()
  const bus = createBus((error) => {
    throw error
  })
  const journal = createJournal({ store, bus })
  const session = newSession(createID)
  const stranger = newSession(createID)
  for (const value of [session, stranger]) await journal.commit(value.id, [{ kind: "session", value }])
  const sessionByID = async (id: string) => {
    const found = await store.session.get(id)
    if (found === null) throw new Error(`no session ${id}`)
    return found
  }
  const deps = { bus, createID, clock: Date.now, sessionByID, projectByID: async () => ({}) }
  const memory = createMemoryService({ ...deps, store: store.memory })
  const tool = createMemoryTool({ sessionMemory: (caller) => createSessionMemory({ memory, sessionByID }, caller) })
  const fixture = createToolFixture(rules)
  const call = (args: unknown, sessionID = session.id) => {
    const context = { ...fixture.context, sessionID }
    return tool.execute(tool.parameters.parse(args), context)
  }
  return { memory, call, session, stranger, fixture }
}

test("memory records for the conversation or the project, and names the agent", async () => {
  const { memory, call, session } = await setUp()
  const fact = { action: "add", type: "learning", title: "Tests need Node 24", content: "Run them with n24." }
  const result = await call(fact)
  expect(result.output).toBe("Recorded #1 — Tests need Node 24")
  expect(MemoryMetadata.parse(result.metadata)).toMatchObject({ action: "add", entries: [{ number: 1 }] })
  await call({ ...fact, lasting: true, tags: ["tests"], source: "README" })
  expect(await memory.get(1)).toMatchObject({ sessionID: session.id, agent: "build" })
  expect(await memory.get(2)).toMatchObject({ sessionID: null, projectID: session.projectID, source: "README" })
})

test("memory finds, lists, reads and invalidates only what the conversation sees", async () => {
  const { memory, call, stranger } = await setUp()
  await call({ action: "add", type: "project", title: "Deploys on Friday", content: `${"Long. ".repeat(100)}End.` })
  await memory.create({ type: "project", title: "Deploys never", content: "", sessionID: stranger.id })
  const found = await call({ action: "search", query: "deploys" })
  expect(found.output).toMatch(/^- #1 \[project\] Deploys on Friday — build\n {2}Long\. .*…$/)
  expect((await call({ action: "list" })).title).toBe("1 entry")
  expect((await call({ action: "list", type: "user" })).output).toBe("(no memory entries)")
  expect((await call({ action: "get", number: 1 })).output).toContain("End.")
  await expect(call({ action: "get", number: 2 })).rejects.toMatchObject({ code: "memory_not_found" })
  await expect(call({ action: "invalidate", number: 2 })).rejects.toMatchObject({ code: "memory_not_found" })
  expect((await call({ action: "invalidate", number: 1 })).output).toBe("No longer holds: #1 — Deploys on Friday")
  expect((await call({ action: "get", number: 1 })).output).toContain("No longer holds since")
})

test("memory names the arguments that an action lacks", async () => {
  const { call } = await setUp()
  await expect(call({ action: "search" })).rejects.toThrow("memory search needs query")
  await expect(call({ action: "add", type: "user", title: "x" })).rejects.toThrow("memory add needs content")
})

test("an action of memory can be denied by its name", async () => {
  const { call } = await setUp({ "*": "allow", memory: { add: "deny" } })
  await expect(call({ action: "add", type: "user", title: "x", content: "y" })).rejects.toThrow()
  expect((await call({ action: "list" })).output).toBe("(no memory entries)")
})
