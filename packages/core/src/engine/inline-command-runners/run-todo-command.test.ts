import { describe, expect, test } from "vitest"
import { PermissionDeniedError } from "../../acts/permission/error.ts"
import type { PermissionAsk } from "../../acts/permission/judge.ts"
import { newSession } from "../../test/entities.ts"
import { byAgent, todoFixture } from "../../test/todo-fixture.ts"
import type { InlineCommandContext } from "../loop/inline-command-runner.ts"
import { createInlineCommandRunners } from "./create-inline-command-runners.ts"
import { createTodoCommandRunner } from "./run-todo-command.ts"

type Given = InlineCommandContext & { finished: boolean }

async function setUp() {
  const fixture = await todoFixture()
  const inlineCommands = createInlineCommandRunners({ todo: createTodoCommandRunner(fixture) })
  const context = {
    sessionID: fixture.session.id,
    by: byAgent,
    turn: {},
    signal: new AbortController().signal,
    finished: true,
  }
  const run = async (text: string, change: Partial<Given> = {}) =>
    (await inlineCommands.run(text, { ...context, ...change })).answer?.text ?? null
  /** The text of the only result. */
  const answer = async (text: string, change: Partial<Given> = {}) =>
    (await run(text, change))?.split("\n").slice(1, -2).join("\n")
  return { ...fixture, inlineCommands, run, answer }
}

test("results of several commands are framed, and the end is marked once", async () => {
  const { run } = await setUp()
  expect(await run("First:\n/todo add review the deploy status\n/todo start 1\n/todo list\nSo.")).toBe(
    [
      "[/todo add review the deploy status]",
      "OK: added #1 — review the deploy status",
      "[END TODO]",
      "[/todo start 1]",
      "OK: in_progress — review the deploy status",
      "[END TODO]",
      "[/todo list]",
      "1 open (1 in progress, 0 pending):",
      "▶ #1 [in_progress] review the deploy status",
      "[END TODO]",
      "[END TOOL RESULTS]",
    ].join("\n"),
  )
  expect(await run("nothing here")).toBeNull()
  expect(await run("/schedule list")).toBeNull()
})

describe("/todo list", () => {
  test("counts open todos, shows in_progress first and leaves out closed ones", async () => {
    const { todos, answer } = await setUp()
    expect(await answer("/todo list")).toBe("(no todos)")
    await answer("/todo add write the post-mortem\n")
    await answer("/todo add review the deploy status\n")
    await todos.create({ sessionID: null, content: "file the rollback ticket" }, byAgent)
    await answer("/todo add done already\n")
    await answer("/todo done 4")
    await answer("/todo start #2")
    expect(await answer("/todo list")).toBe(
      [
        "3 open (1 in progress, 2 pending):",
        "▶ #2 [in_progress] review the deploy status",
        "#1 [pending] write the post-mortem",
        "#3 [pending] file the rollback ticket (tenant-wide)",
      ].join("\n"),
    )
  })
})

describe("/todo add", () => {
  test("adds the item to the session with agent name and description", async () => {
    const { todos, answer, session } = await setUp()
    expect(await answer("/todo add write the post-mortem\nwhat broke\n  and why\n/endtodo\n")).toBe(
      "OK: added #1 — write the post-mortem\n  description: what broke\n    and why",
    )
    expect(await todos.get(1)).toMatchObject({
      sessionID: session.id,
      agent: "build",
      content: "write the post-mortem",
      description: "what broke\n  and why",
      status: "pending",
    })
  })

  test("without a subject it is refused", async () => {
    expect(await (await setUp()).answer("/todo add")).toBe("ERR: /todo add requires a subject")
  })

  test("a missing terminator is an error and nothing is stored", async () => {
    const { todos, answer, session } = await setUp()
    expect(await answer("/todo add write the post-mortem\nwhat broke")).toBe("ERR: missing /endtodo terminator")
    expect(await answer("/todo add write the post", { finished: false })).toBe("ERR: missing /endtodo terminator")
    expect(await todos.list(session.id)).toEqual([])
  })
})

describe("other /todo verbs", () => {
  test("start, done, cancel, describe and subject change the item", async () => {
    const { todos, answer } = await setUp()
    await answer("/todo add one\n\n")
    expect(await answer("/todo done 1")).toBe("OK: completed — one")
    expect((await todos.get(1)).time.completed).not.toBeNull()
    expect(await answer("/todo cancel 1")).toBe("OK: canceled — one")
    expect(await answer("/todo describe 1: bumped to follow up next sprint")).toBe("OK: updated — one")
    expect(await answer("/todo subject #1: review the canary: deploy status")).toBe(
      "OK: updated — review the canary: deploy status",
    )
    expect(await todos.get(1)).toMatchObject({ description: "bumped to follow up next sprint", status: "cancelled" })
  })

  test.each([
    ["/todo", "ERR: usage: /todo (add|list|start|done|cancel|describe|subject) [args]"],
    ["/todo fly 1", "ERR: usage: /todo (add|list|start|done|cancel|describe|subject) [args]"],
    ["/todo start", "ERR: usage: /todo start <id> — the id is missing"],
    ["/todo start x", "ERR: bad todo id"],
    ["/todo start 0", "ERR: bad todo id"],
    ["/todo done 99", "ERR: todo not found"],
    ["/todo describe 99: x", "ERR: todo not found"],
    ["/todo subject 1", "ERR: usage: /todo subject <id>: <text>"],
  ])("%s → %s", async (text, expected) => {
    expect(await (await setUp()).answer(text)).toBe(expected)
  })

  test("a command that was cut off changes nothing", async () => {
    const { todos, answer } = await setUp()
    await answer("/todo add one\n\n")
    expect(await answer("/todo done 1", { finished: false })).toMatch(/^ERR: the answer was cut off/)
    expect((await todos.get(1)).status).toBe("pending")
  })

  test("a blocked start names the blockers", async () => {
    const { todos, answer } = await setUp()
    await answer("/todo add one\n\n")
    await answer("/todo add two\n\n")
    await todos.update(2, { dependsOn: ["1"] }, byAgent)
    expect(await answer("/todo start 2")).toContain('ERR: #2 "two" cannot start: it is blocked by #1 "one" (pending)')
  })
})

describe("across conversations", () => {
  test("tenant-wide items outlive a conversation and can be picked up in another", async () => {
    const { todos, journal, session, createID, run } = await setUp()
    await todos.create({ sessionID: null, content: "cross-thread" }, byAgent)
    await todos.create({ sessionID: session.id, content: "pinned" }, byAgent)
    const other = newSession(createID)
    await journal.commit(other.id, [{ kind: "session", value: other }])
    await journal.commit(session.id, [{ kind: "session.remove", sessionID: session.id }])
    const list = await run("/todo list\n/todo start 1", { sessionID: other.id })
    expect(list).toContain("1 open (0 in progress, 1 pending):\n#1 [pending] cross-thread (tenant-wide)")
    expect(list).toContain("OK: in_progress — cross-thread")
    expect(list).not.toContain("pinned")
  })

  test("a subagent marks the caller's items by their numbers", async () => {
    const { todos, journal, session, createID, answer } = await setUp()
    await todos.create({ sessionID: session.id, content: "caller's step" }, byAgent)
    const child = newSession(createID, { rootID: session.id, parentID: session.id, depth: 1 })
    await journal.commit(session.id, [{ kind: "session", value: child }])
    expect(await answer("/todo done 1", { sessionID: child.id })).toBe("OK: completed — caller's step")
    expect(await todos.list(session.id)).toMatchObject([{ status: "completed" }])
  })
})

test("an agent without todowrite changes no list; a subagent may mark items", async () => {
  const { todos, journal, session, createID, answer } = await setUp()
  await todos.create({ sessionID: session.id, content: "caller's step" }, byAgent)
  const child = newSession(createID, { rootID: session.id, parentID: session.id, depth: 1 })
  await journal.commit(session.id, [{ kind: "session", value: child }])
  const asked: string[] = []
  const ask = async ({ permission }: PermissionAsk) => {
    asked.push(permission)
    throw new PermissionDeniedError(permission, "*")
  }
  const changes = ["add x", "cancel 1", "describe 1: y", "subject 1: y"].map((args) => `/todo ${args}`)
  for (const sessionID of [session.id, child.id]) {
    for (const change of changes) {
      expect(await answer(change, { sessionID, ask })).toContain("ERR: The user's rules do not allow todowrite")
    }
    expect(await answer("/todo list", { sessionID: session.id, ask })).toContain("#1 [pending] caller's step")
  }
  expect(await answer("/todo done 1", { ask })).toContain("ERR:")
  expect(await todos.get(1)).toMatchObject({ status: "pending", content: "caller's step", description: "" })
  expect(asked).toEqual(asked.map(() => "todowrite"))
  expect(await answer("/todo start 1", { sessionID: child.id, ask })).toBe("OK: in_progress — caller's step")
  expect(await answer("/todo done 1", { sessionID: child.id, ask })).toBe("OK: completed — caller's step")
  expect(await todos.list(child.id)).toEqual([])
})

test("a subagent cannot mark todos of unrelated sessions", async () => {
  const { todos, journal, session, createID, answer } = await setUp()
  const below = (parentID: string, depth: number) => newSession(createID, { rootID: session.id, parentID, depth })
  const [child, sibling] = [below(session.id, 1), below(session.id, 1)]
  const grandchild = below(child.id, 2)
  const other = newSession(createID)
  for (const member of [child, sibling, grandchild]) {
    await journal.commit(session.id, [{ kind: "session", value: member }])
  }
  await journal.commit(other.id, [{ kind: "session", value: other }])
  // #1 of another tree, #2 of the sibling, #3 of the root, #4 of the child, #5 of the whole tenant.
  for (const sessionID of [other.id, sibling.id, session.id, child.id, null]) {
    await todos.create({ sessionID, content: "step" }, byAgent)
  }
  const deny = async ({ permission }: PermissionAsk) => {
    throw new PermissionDeniedError(permission, "*")
  }
  for (const verb of ["start", "done"]) {
    for (const sessionID of [child.id, grandchild.id]) {
      const mark = (number: number) => answer(`/todo ${verb} ${number}`, { sessionID, ask: deny })
      for (const number of [1, 2, 99]) expect(await mark(number)).toBe("ERR: todo not found")
      for (const number of [3, 4, 5]) expect(await mark(number)).toContain("OK: ")
    }
  }
  const status = async (number: number) => (await todos.get(number)).status
  expect(await Promise.all([1, 2, 3, 4, 5].map(status))).toEqual([
    "pending",
    "pending",
    "completed",
    "completed",
    "completed",
  ])
  // A child with permission to write todos may name any item, like every session with it.
  expect(await answer("/todo done 1", { sessionID: child.id, ask: async () => {} })).toBe("OK: completed — step")
})

test("a long list shows a hundred lines and counts the rest", async () => {
  const { todos, answer } = await setUp()
  for (let n = 0; n < 120; n++) await todos.create({ sessionID: null, content: `item ${n}` }, byAgent)
  const lines = (await answer("/todo list"))?.split("\n") ?? []
  expect(lines[0]).toBe("120 open (0 in progress, 120 pending):")
  expect(lines).toHaveLength(102)
  expect(lines.at(-1)).toBe("(and 20 more)")
})

test("a failing runner answers with an error, and the next commands run", async () => {
  const failing = createInlineCommandRunners({
    todo: createTodoCommandRunner(await setUp()),
    mem: async () => {
      throw new Error("no memory today")
    },
  })
  const context = { sessionID: "ses_x", by: byAgent, turn: {}, signal: new AbortController().signal, finished: true }
  const { answer, rest } = await failing.run("Hi\n/mem list\n/todo done 5\n", context)
  expect(answer?.text).toBe(
    "[/mem list]\nERR: no memory today\n[END MEM]\n[/todo done 5]\nERR: todo not found\n[END TODO]\n[END TOOL RESULTS]",
  )
  expect(rest).toBe("Hi\n")
})

test("inline commands are limited in number and in size of results", async () => {
  const { run, todos, session } = await setUp()
  const results = await run("/todo add x\n".repeat(150))
  expect((await todos.list(session.id)).length).toBe(100)
  expect(results).toContain("SKIPPED: at most 100 commands")
  const long = await run(`/todo add ${"y".repeat(1_900)}\n`.repeat(30))
  expect(long?.length).toBeLessThan(33_000)
  expect(long).toContain("[TOOL RESULTS TRUNCATED: budget exhausted]\n[END TOOL RESULTS]")
})
