import type { PermissionRequest } from "@docket/core/schema"
import { expect, test } from "vitest"
import { runAgent } from "./test/run-agent.ts"

type Run = Awaited<ReturnType<typeof runAgent>>

const command = (id: string, text: string, more: object = {}) => ({
  ...{ toolCallId: id, title: text, kind: "execute", rawInput: { command: text } },
  ...more,
})

/** The next request of the tree that was not asked before. */
async function asked({ run }: Run, seen: Set<string>): Promise<PermissionRequest> {
  while (true) {
    const event = await run.until((item) => item.type === "permission.asked" && !seen.has(item.properties.request.id))
    if (event.type !== "permission.asked") continue
    seen.add(event.properties.request.id)
    return event.properties.request
  }
}

test("what an agent asks is a request of its session", async () => {
  const started = await runAgent({ permission: { "*": "allow", bash: "ask" } })
  const { delegate, run, noted, calls, child } = started
  const turn = delegate([{ ask: command("1", "npm test") }, { say: "Tested." }])
  const request = await asked(started, new Set())
  expect(request).toMatchObject({
    permission: "bash",
    patterns: ["npm test"],
    sessionID: (await child()).id,
    metadata: { kind: "command", command: "npm test" },
  })
  await run.runtime.permission.reply(request.id, "once")
  await turn
  expect(await noted()).toContainEqual({ outcome: "option-allow_once" })
  expect(await calls()).toMatchObject([{ tool: "bash", state: { status: "completed" } }])
})

test("always is kept by Docket, whatever the agent offers", async () => {
  const started = await runAgent({ permission: { "*": "allow", bash: "ask" } })
  const { delegate, run, noted } = started
  const seen = new Set<string>()
  const turn = delegate([{ ask: command("1", "npm test") }, { ask: command("2", "npm test") }, { say: "Tested." }])
  await run.runtime.permission.reply((await asked(started, seen)).id, "always")
  await turn
  expect(seen.size).toBe(1)
  const outcomes = (await noted()).flatMap(({ outcome }) => outcome ?? [])
  expect(outcomes).toEqual(["option-allow_once", "option-allow_once"])
})

test("a rejection without a word ends the agent's turn", async () => {
  const started = await runAgent({ permission: { "*": "allow", bash: "ask" } })
  const { delegate, run, noted, calls, results } = started
  const turn = delegate([{ ask: command("1", "npm test") }, { say: "Never said." }])
  await run.runtime.permission.reply((await asked(started, new Set())).id, "reject")
  await turn
  expect(await noted()).toContainEqual("cancel")
  expect(await calls()).toMatchObject([{ tool: "bash", state: { status: "error", metadata: { rejected: true } } }])
  expect(results[0]).toContain("rejected")
})

test("an agent is told why it was rejected, and goes on", async () => {
  const started = await runAgent({ permission: { "*": "allow", bash: "ask" } })
  const { delegate, run, noted, results } = started
  const turn = delegate([{ ask: command("1", "npm test") }])
  await run.runtime.permission.reply((await asked(started, new Set())).id, "reject", { message: "Use vitest." })
  await turn
  const notes = await noted()
  expect(notes).toContainEqual({ outcome: "option-reject_once" })
  const prompts = notes.flatMap(({ prompt }) => (prompt === undefined ? [] : [JSON.stringify(prompt)]))
  expect(prompts).toHaveLength(2)
  expect(prompts[1]).toContain("Use vitest.")
  expect(results[0]).toContain("Told.")
})

test("a rule answers for the person, and its denial is shown", async () => {
  const { delegate, noted, calls } = await runAgent({
    permission: { "*": "allow", bash: { "*": "allow", "rm *": "deny" } },
  })
  await delegate([{ ask: command("1", "rm -r src") }, { ask: command("2", "ls") }, { say: "Done." }])
  expect((await noted()).flatMap(({ outcome }) => outcome ?? [])).toEqual(["option-reject_once", "option-allow_once"])
  const [first] = await calls()
  expect(first?.state).toMatchObject({ status: "error", error: expect.stringContaining("rules do not allow bash") })
})

test("kinds are asked as their permissions, others as acp", async () => {
  const { delegate, noted, at } = await runAgent({
    permission: {
      ...{ "*": "allow", bash: { "*": "allow", "drop *": "deny" }, acp: { "*": "deny", mcp__ev__echo: "allow" } },
      ...{ edit: { "*": "allow", "b.txt": "deny" }, webfetch: { "*": "deny", "https://a.example/*": "allow" } },
    },
  })
  const ask = (id: string, kind: string, more: object) => ({ ask: { toolCallId: id, title: id, kind, ...more } })
  const diff = (name: string) => ({ content: [{ type: "diff", path: at(name), oldText: "one", newText: "two" }] })
  await delegate([
    ask("1", "edit", diff("a.txt")),
    ask("2", "edit", diff("b.txt")),
    ask("3", "fetch", { rawInput: { url: "https://a.example/x" } }),
    ask("4", "fetch", { rawInput: { url: "https://b.example/x" } }),
    ask("5", "other", { name: "mcp__ev__echo" }),
    ask("6", "other", { name: "mcp__ev__drop" }),
    ask("drop it", "execute", {}),
  ])
  const outcomes = (await noted()).flatMap(({ outcome }) => outcome ?? [])
  const [yes, no] = ["option-allow_once", "option-reject_once"]
  expect(outcomes).toEqual([yes, no, yes, no, yes, no, no])
})

test("a request says what only the program can explain", async () => {
  const started = await runAgent({ permission: { "*": "allow", edit: "ask", acp: "ask" } })
  const { delegate, run, at } = started
  const diff = { type: "diff", path: at("a.txt"), oldText: "one", newText: "two" }
  const turn = delegate([
    { ask: { toolCallId: "1", title: "Find one", name: "Grep", kind: "search", rawInput: { pattern: "one" } } },
    { ask: { toolCallId: "2", title: "Remove a.txt", kind: "delete", locations: [{ path: at("a.txt") }] } },
    { ask: { toolCallId: "3", title: "Tidy", kind: "other", content: [diff] } },
  ])
  const seen = new Set<string>()
  const next = async () => {
    const { id, permission, metadata } = await asked(started, seen)
    await run.runtime.permission.reply(id, "once")
    return { permission, metadata }
  }
  expect(await next()).toEqual({
    permission: "acp",
    metadata: {
      ...{ kind: "other", title: "Find one", input: { pattern: "one" } },
      program: { kind: "search", tool: "Grep", files: [] },
    },
  })
  expect(await next()).toMatchObject({
    permission: "edit",
    metadata: { kind: "other", title: "Remove a.txt", program: { kind: "delete", files: ["a.txt"] } },
  })
  expect(await next()).toMatchObject({
    permission: "acp",
    metadata: { program: { kind: "other", files: ["a.txt"], diff: expect.stringContaining("+two") } },
  })
  await turn
})

test("a call without a title is named by its tool", async () => {
  const { delegate, calls } = await runAgent({ permission: "allow" })
  await delegate([{ ask: { toolCallId: "1", title: "", kind: "think" } }])
  expect(await calls()).toMatchObject([{ tool: "acp", state: { title: "think" } }])
})

test("an agent that offers only always is answered so", async () => {
  const { delegate, noted } = await runAgent()
  const only = (id: string, ...kinds: string[]) => ({ ask: command(id, "ls", { kinds }) })
  await delegate([only("1", "allow_always", "reject_always"), only("2", "reject_once")])
  expect((await noted()).flatMap(({ outcome }) => outcome ?? [])).toEqual(["option-allow_always", "cancelled"])
})

test("no more than 32 questions of an agent wait at a time", async () => {
  const started = await runAgent({ permission: { "*": "allow", bash: "ask" } })
  const { delegate, run, calls } = started
  const frames = Array.from({ length: 34 }, (_, n) => ({
    frame: {
      ...{ id: 1_000 + n, method: "session/request_permission" },
      params: {
        sessionId: "$own",
        toolCall: command(`${n}`, `make part${n}`),
        options: [{ optionId: "yes", kind: "allow_once", name: "Yes" }],
      },
    },
  }))
  const turn = delegate([...frames, { wait: "I wait." }])
  const seen = new Set<string>()
  while (seen.size < 32) await asked(started, seen)
  await run.runtime.abort(run.session.id)
  await turn
  const errors = (await calls()).flatMap(({ state }) => (state.status === "error" ? [state.error] : []))
  expect(errors.filter((error) => error.includes("32 of its questions wait already"))).toHaveLength(2)
})
