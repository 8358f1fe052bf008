import { expect, test } from "vitest"
import { createBus } from "../../ground/event/bus.ts"
import { createMemoryService } from "../../records/memory/create-memory-service.ts"
import { byAgent, todoFixture } from "../../test/todo-fixture.ts"
import type { InlineCommandContext } from "../loop/inline-command-runner.ts"
import { createInlineCommandRunners } from "./create-inline-command-runners.ts"
import { createMemoryCommandRunner } from "./run-memory-command.ts"

async function setUp() {
  const { store, session, createID } = await todoFixture()
  const bus = createBus((error) => {
    throw error
  })
  const sessionByID = async () => session
  const deps = { bus, createID, clock: Date.now, sessionByID, projectByID: async () => session }
  const memory = createMemoryService({ ...deps, store: store.memory })
  const inlineCommands = createInlineCommandRunners({ mem: createMemoryCommandRunner({ memory, sessionByID }) })
  const context = { sessionID: session.id, by: byAgent, turn: {}, signal: new AbortController().signal }
  const run = async (text: string, finished = true, ask?: InlineCommandContext["ask"]) =>
    (await inlineCommands.run(text, { ...context, finished, ...(ask && { ask }) })).answer?.text
  /** The text of the only result. */
  const answer = async (...args: Parameters<typeof run>) => (await run(...args))?.split("\n").slice(1, -2).join("\n")
  return { memory, session, run, answer }
}

test("/mem adds an entry by a block, finds, reads and invalidates it", async () => {
  const { memory, session, run, answer } = await setUp()
  expect(
    await run("I note that.\n/mem add entry project Q3 observability rollout\nTraces first,\n\nthen logs.\n/endmem\n"),
  ).toBe(
    "[/mem add entry project Q3 observability rollout]\nOK: added #1 — Q3 observability rollout\n[END MEM]\n[END TOOL RESULTS]",
  )
  expect(await memory.get(1)).toMatchObject({
    sessionID: session.id,
    type: "project",
    content: "Traces first,\n\nthen logs.",
    agent: "build",
  })
  const line = "- #1 [project] Q3 observability rollout — build"
  expect(await answer("/mem list")).toBe(`${line}\n  Traces first, then logs.`)
  expect(await answer("/mem search traces")).toContain(line)
  expect(await answer("/mem search paris")).toBe("(no memory entries)")
  expect(await answer("/mem get #1")).toBe(`${line}\nTraces first,\n\nthen logs.`)
  expect(await answer("/mem invalidate 1")).toBe("OK: invalidated — Q3 observability rollout")
  expect(await answer("/mem invalidate 1")).toBe("ERR: memory not found")
})

test.each([
  ["/mem add entry project Lost\nno end", "ERR: missing /endmem terminator"],
  ["/mem add entry secret Title\nx\n/endmem", /^ERR: secret is no type of memory; use one of user, feedback, /],
  ["/mem add entry project\nx\n/endmem", /^ERR: usage: \/mem add entry <type> <title>/],
  [`/mem add entry project Long\n${"x".repeat(65_537)}\n/endmem`, /^ERR: The memory cannot be stored: /],
  ["/mem get x", "ERR: usage: /mem get <id>"],
  ["/mem get 9", "ERR: memory not found"],
  ["/mem search", "ERR: usage: /mem search <words>"],
  ["/mem", /^ERR: usage: \/mem add entry/],
])("%s is refused and stores nothing", async (text, expected) => {
  const { memory, answer } = await setUp()
  expect(await answer(text)).toMatch(expected)
  expect(await memory.search({})).toEqual([])
})

test("an agent without permission for its memory tool stores nothing", async () => {
  const { memory, answer } = await setUp()
  const asked: unknown[] = []
  const refuse = async (request: unknown) => {
    asked.push(request)
    throw new Error("You may not.")
  }
  expect(await answer("/mem add entry user Name\nAda\n/endmem", true, refuse)).toBe("ERR: You may not.")
  expect(asked).toEqual([{ permission: "memory", patterns: ["add"], always: ["add"], metadata: { kind: "other" } }])
  expect(await memory.search({})).toEqual([])
})

test("a /mem command that was cut off changes nothing", async () => {
  const { memory, answer } = await setUp()
  await answer("/mem add entry user Name\nAda\n/endmem")
  expect(await answer("/mem invalidate 1", false)).toMatch("cut off")
  expect(await memory.get(1)).toMatchObject({ invalidatedAt: null })
})
