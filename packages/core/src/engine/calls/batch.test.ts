import { execFileSync } from "node:child_process"
import { mkdtemp, readFile, realpath, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, it } from "vitest"
import type { ToolPart } from "../../ground/schema/index.ts"
import { answer, type ScriptedRuntime, scriptedRuntime, toolResults } from "../../test/scripted-runtime.ts"

type Config = NonNullable<Parameters<typeof scriptedRuntime>[1]>["config"]
type Call = { tool: string; parameters: Record<string, unknown> }
const read = (filePath: string): Call => ({ tool: "read", parameters: { filePath } })
const write = (filePath: string, content: string): Call => ({ tool: "write", parameters: { filePath, content } })

/** A host whose model makes one batch and then says what it read. */
async function batchHost(
  tool_calls: unknown,
  config: NonNullable<Config> = {},
  before?: ScriptedRuntime,
): Promise<ScriptedRuntime> {
  const directory = before?.directory ?? (await realpath(await mkdtemp(join(tmpdir(), "docket-batch-"))))
  if (before === undefined) execFileSync("git", ["init", "-q"], { cwd: directory })
  const host = await scriptedRuntime(
    (options) =>
      toolResults(options).length > 0 ? answer("done") : answer("", { tool: "batch", input: { tool_calls } }),
    { config, directory, ...(before !== undefined && { store: before.store }) },
  )
  for (const name of ["a.txt", "b.txt"]) await writeFile(join(host.directory, name), `text of ${name}\n`)
  return host
}

async function toolParts(host: ScriptedRuntime): Promise<ToolPart[]> {
  const { items } = await host.runtime.session.messages({ sessionID: host.session.id })
  return items.flatMap(({ parts }) => parts.filter((part): part is ToolPart => part.type === "tool"))
}

function stateOf({ tool, state }: ToolPart): string {
  return `${tool} ${state.status}`
}

it("a batch makes each call a part of its own", async () => {
  await using host = await batchHost([
    read("a.txt"),
    read("missing.txt"),
    { tool: "Read", parameters: { filePath: "b.txt" } },
  ])
  await host.prompt("go")
  const [batch, ...calls] = await toolParts(host)
  expect(calls.map(stateOf)).toEqual(["read completed", "read error", "read completed"])
  expect(calls.every(({ batchID }) => batchID === batch?.id)).toBe(true)
  expect(batch?.state).toMatchObject({ status: "completed", title: "2 of 3 succeeded", metadata: { total: 3 } })
  expect(batch?.state.status === "completed" && batch.state.output).toMatch(
    /^2 of 3 succeeded\.\n\n\[1\] read:\n1: text of a\.txt[\s\S]*\[2\] read failed:\nThere is no file[\s\S]*\[3\] read:\n1: text of b/,
  )
})

it("the model reads the results of a batch once", async () => {
  const results: string[][] = []
  await using host = await scriptedRuntime((options) => {
    const told = toolResults(options)
    if (told.length === 0) return answer("", { tool: "batch", input: { tool_calls: [read("a.txt"), read("b.txt")] } })
    results.push(told.map((text) => text.slice(0, 16)))
    return answer("done")
  })
  for (const name of ["a.txt", "b.txt"]) await writeFile(join(host.directory, name), "text")
  await host.prompt("go")
  expect(results).toEqual([["2 of 2 succeeded"]])
})

it.each([
  ["another batch", { tool: "Batch", parameters: { tool_calls: [read("a.txt")] } }],
  ["a patch", { tool: "applyPatch", parameters: { patchText: "x" } }],
])("a batch does not run %s", async (_, call) => {
  await using host = await batchHost([call, read("a.txt")])
  await host.prompt("go")
  const [batch, ...calls] = await toolParts(host)
  expect(calls.map(stateOf)).toEqual(["read completed"])
  expect(batch?.state.status === "completed" && batch.state.output).toContain("Not run: a batch contains no")
})

it("a batch takes 25 calls and names how many are left", async () => {
  await using host = await batchHost(
    Array.from({ length: 20_000 }, () => read("a.txt")),
    {
      permission: { doom_loop: "allow" },
    },
  )
  await host.prompt("go")
  const [batch, ...calls] = await toolParts(host)
  expect(calls).toHaveLength(25)
  expect(batch?.state).toMatchObject({ title: "25 of 20000 succeeded" })
  expect(batch?.state.status === "completed" && batch.state.output).toContain("19975 calls were not run")
})

it("a batch is read from JSON text", async () => {
  await using host = await batchHost(
    JSON.stringify([read("a.txt"), { tool: "bash", parameters: { command: "echo hi", description: "x" } }]),
  )
  await host.prompt("go")
  expect((await toolParts(host)).map(stateOf)).toEqual(["batch completed", "read completed", "bash completed"])
})

it("a batch is read from one JSON text of all arguments", async () => {
  const command: Call = { tool: "bash", parameters: { command: "echo hi > c.txt", description: "x" } }
  const directory = await realpath(await mkdtemp(join(tmpdir(), "docket-batch-")))
  execFileSync("git", ["init", "-q"], { cwd: directory })
  await using host = await scriptedRuntime(
    (options) =>
      toolResults(options).length > 0
        ? answer("done")
        : answer("", { tool: "batch", input: JSON.stringify({ tool_calls: [command] }) }),
    { directory },
  )
  await host.prompt("go")
  expect((await toolParts(host)).map(stateOf)).toEqual(["batch completed", "bash completed"])
  const { items } = await host.runtime.session.messages({ sessionID: host.session.id })
  const patches = items.flatMap(({ parts }) => parts.flatMap((part) => (part.type === "patch" ? part.files : [])))
  expect(patches).toEqual(["c.txt"])
})

it("rules judge each call of a batch by its tool", async () => {
  await using host = await batchHost([write("c.txt", "c"), read("a.txt")], {
    permission: { edit: { "c.txt": "deny" } },
  })
  await host.prompt("go")
  expect((await toolParts(host)).map(stateOf)).toEqual(["batch completed", "write error", "read completed"])
})

it("an edit in a batch can be undone", async () => {
  await using host = await batchHost([read("a.txt"), write("c.txt", "c\n")])
  await host.prompt("go")
  expect(await readFile(join(host.directory, "c.txt"), "utf8")).toBe("c\n")
  const { items } = await host.runtime.session.messages({ sessionID: host.session.id })
  const patches = items.flatMap(({ parts }) => parts.flatMap((part) => (part.type === "patch" ? part.files : [])))
  expect(patches).toEqual(["c.txt"])
})

it("long outputs of a batch share its room", async () => {
  const calls = Array.from({ length: 4 }, (_, at) => read(`${at}.txt`))
  await using host = await batchHost(calls)
  for (let at = 0; at < 4; at++)
    await writeFile(join(host.directory, `${at}.txt`), `${at}`.repeat(1_000).concat("\n").repeat(40))
  await host.prompt("go")
  const [batch] = await toolParts(host)
  const output = batch?.state.status === "completed" ? batch.state.output : ""
  expect(output.length).toBeLessThan(51_200)
  for (let at = 0; at < 4; at++) expect(output).toContain(`[${at + 1}] read:\n1: ${at}`)
})

it("a read whose output a batch cut does not count as read", async () => {
  const names = ["0.txt", "1.txt"]
  let step = 0
  await using host = await scriptedRuntime(() => {
    step += 1
    if (step === 1) return answer("", { tool: "batch", input: { tool_calls: [...names, "a.txt"].map(read) } })
    return step === 2
      ? answer("", ...names.map((name) => ({ tool: "write", input: write(name, "x").parameters })))
      : answer("done")
  })
  for (const name of names) await writeFile(join(host.directory, name), `${"y".repeat(1_000)}\n`.repeat(40))
  await writeFile(join(host.directory, "a.txt"), "a\n")
  await host.prompt("go")
  const [batch, ...calls] = await toolParts(host)
  expect(batch?.state).toMatchObject({
    metadata: { calls: [{ cut: true }, { cut: true }, { tool: "read", done: true, partID: calls[2]?.id }] },
  })
  expect(calls.map(stateOf)).toEqual([
    "read completed",
    "read completed",
    "read completed",
    "write error",
    "write error",
  ])
})

it("a batch that fails after a restart ends its open calls", async () => {
  const calls = [read("b.txt")]
  const first = await batchHost(calls, { permission: { read: "ask" } })
  await first.runtime.prompt.submit(first.session.id, { parts: [{ type: "text", text: "go" }] })
  await first.until((event) => event.type === "permission.asked")
  await first.runtime.close()
  await using second = await batchHost(calls, { permission: { batch: "deny", read: "ask" } }, first)
  const ended = { ...second, session: first.session }
  await expect.poll(async () => (await toolParts(ended)).map(stateOf)).toEqual(["batch error", "read error"])
  await first[Symbol.asyncDispose]()
})

it("a batch that waits for a person continues after a restart", async () => {
  const calls = [read("a.txt"), read("b.txt"), read("c.txt")]
  const config = { permission: { read: { "*": "allow", "b.txt": "ask" } } } as const
  const first = await batchHost(calls, config)
  await first.runtime.prompt.submit(first.session.id, { parts: [{ type: "text", text: "go" }] })
  await first.until((event) => event.type === "permission.asked")
  const states = async () => (await toolParts(first)).map(stateOf)
  await expect.poll(states).toEqual(expect.arrayContaining(["read completed", "read error"]))
  await first.runtime.close()
  await using second = await batchHost(calls, config, first)
  const [request] = await second.runtime.permission.pending(first.session.id)
  await second.runtime.permission.reply(request?.id ?? "", "once")
  const ended = { ...second, session: first.session }
  await expect
    .poll(async () => (await toolParts(ended)).map(stateOf))
    .toEqual(["batch completed", "read completed", "read completed", "read error"])
  await first[Symbol.asyncDispose]()
})
