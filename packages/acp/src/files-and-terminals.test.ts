import { readFile, writeFile } from "node:fs/promises"
import { expect, test } from "vitest"
import { runAgent } from "./test/run-agent.ts"

test("an agent reads and writes files by Docket's rules", async () => {
  const { delegate, noted, calls, at } = await runAgent({
    files: { "a.txt": "one\ntwo\nthree\n", ".env": "KEY=1" },
    permission: { "*": "allow", read: { "*": "allow", "*.env": "deny" }, edit: { "*": "allow", "b.txt": "deny" } },
  })
  await delegate([
    { read: { path: at("a.txt"), line: 2, limit: 1 } },
    { read: { path: at(".env") } },
    { write: { path: at("a.txt"), content: "new\n" } },
    { write: { path: at("b.txt"), content: "new\n" } },
    { read: { path: at("missing.txt") } },
  ])
  const notes = await noted()
  expect(notes.flatMap(({ answer }) => (answer === undefined ? [] : [answer]))).toEqual([{ content: "two\n" }, {}])
  expect(notes.flatMap(({ refused }) => refused ?? [])).toEqual([
    expect.stringContaining("rules do not allow read"),
    expect.stringContaining("rules do not allow edit"),
    expect.stringContaining("ENOENT"),
  ])
  expect(await readFile(at("a.txt"), "utf8")).toBe("new\n")
  expect((await calls()).map(({ tool, state: { status } }) => [tool, status])).toEqual([
    ["read", "completed"],
    ["read", "error"],
    ["write", "completed"],
    ["write", "error"],
    ["read", "error"],
  ])
})

test("a write that was allowed with its text is not asked again", async () => {
  const { delegate, run, calls, at, noted } = await runAgent({ permission: { "*": "allow", edit: "ask" } })
  const diff = (newText: string) => ({ content: [{ type: "diff", path: at("a.txt"), oldText: "one\ntwo\n", newText }] })
  const turn = delegate([
    { ask: { toolCallId: "1", title: "Edit a.txt", kind: "edit", ...diff("new\n") } },
    { write: { path: at("a.txt"), content: "new\n" } },
    { write: { path: at("a.txt"), content: "something else\n" } },
  ])
  const requests = () =>
    run.events.flatMap((event) => (event.type === "permission.asked" ? [event.properties.request] : []))
  await run.until(() => requests().length === 1)
  await run.runtime.permission.reply(requests()[0]?.id ?? "", "once")
  await run.until(() => requests().length === 2)
  expect(await readFile(at("a.txt"), "utf8")).toBe("new\n")
  await run.runtime.permission.reply(requests()[1]?.id ?? "", "reject", { message: "Not this." })
  await turn
  expect((await noted()).flatMap(({ refused }) => refused ?? [])).toEqual([expect.stringContaining("Not this.")])
  expect((await calls()).map(({ tool }) => tool)).toEqual(["edit", "write", "write"])
})

test("a write stands in the place of its call", async () => {
  const { delegate, calls, at } = await runAgent()
  const call = { toolCallId: "1", title: "Edit a.txt", kind: "edit", locations: [{ path: at("a.txt") }] }
  await delegate([
    { call: { ...call, status: "in_progress" } },
    { write: { path: at("a.txt"), content: "new\n" } },
    { call: { toolCallId: "1", status: "completed" } },
    { say: "Written." },
  ])
  expect(await calls()).toMatchObject([
    { callID: "1", tool: "write", state: { status: "completed", metadata: { additions: 1, deletions: 2 } } },
  ])
})

test("an agent's terminal is a command of Docket", async () => {
  const { delegate, calls, noted, at, directory } = await runAgent()
  await writeFile(at("b.txt"), "b")
  await delegate([
    { call: { toolCallId: "1", title: "List", kind: "execute", status: "in_progress" } },
    { run: { command: "echo", args: ["it is", "$HOME"], shown: "1", env: [{ name: "A", value: "b c" }] } },
    { call: { toolCallId: "1", status: "completed" } },
    { run: { command: "cat a.txt | wc -l; exit 3", cwd: directory } },
    { say: "Listed." },
  ])
  const answers = (await noted()).flatMap(({ answer }) => answer ?? [])
  expect(answers).toMatchObject([
    { output: "it is $HOME\n", truncated: false, exit: { exitCode: 0 } },
    { output: "2\n", exit: { exitCode: 3 }, exitStatus: { exitCode: 3 } },
  ])
  expect(await calls()).toMatchObject([
    { tool: "bash", state: { status: "completed", metadata: { exit: 0 } } },
    { tool: "bash", state: { status: "completed", metadata: { exit: 3 } } },
  ])
})

test("a terminal that the rules deny runs nothing", async () => {
  const { delegate, noted, at } = await runAgent({
    permission: { "*": "allow", bash: { "*": "allow", "touch *": "deny" } },
  })
  await delegate([{ run: { command: "touch", args: [at("made.txt")] } }])
  const [answer] = (await noted()).flatMap(({ answer }) => answer ?? [])
  expect(answer).toMatchObject({ exit: { exitCode: 126 }, output: expect.stringContaining("rules do not allow bash") })
  await expect(readFile(at("made.txt"))).rejects.toThrow("ENOENT")
})
