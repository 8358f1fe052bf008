import { mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import path from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { createRunningCommands } from "../../acts/tool/running-commands.ts"
import { sha256Of } from "../module-file/read-module.ts"
import { type RunToolFileOptions, runToolFile } from "./run-tool-file.ts"

const head = 'import { tool } from "@opencode-ai/plugin"\nimport { z } from "zod"\n'

function setUp(text: string, beside: Record<string, string> = {}) {
  const directory = realpathSync(mkdtempSync(path.join(tmpdir(), "docket-tool-file-")))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  const file = path.join(directory, "greet.ts")
  writeFileSync(file, head + text)
  for (const [name, content] of Object.entries(beside)) writeFileSync(path.join(directory, name), content)
  const records = path.join(directory, "records")
  const deps = { commands: createRunningCommands(records), clock: Date.now }
  const program = { owner: "test", cwd: directory, env: { PATH: process.env.PATH ?? "" } }
  const usual = { program, timeoutMs: 20_000 }
  const context = { sessionID: "ses_1", messageID: "msg_1", agent: "build", directory, worktree: directory }
  const files = { [file]: sha256Of(head + text) }
  return {
    ...{ directory, file, files, records },
    describe: (trusted: { within: string; files: Record<string, string> } | null = null, timeoutMs = 20_000) =>
      runToolFile(deps, { file, trusted, call: null }, { ...usual, timeoutMs }),
    call: (
      args: unknown,
      { options = {}, name = "default" }: { options?: Partial<RunToolFileOptions>; name?: string } = {},
    ) => runToolFile(deps, { file, trusted: null, call: { export: name, args, context } }, { ...usual, ...options }),
  }
}

const returning = (expression: string, args = "") =>
  `export default tool({ description: "Greets.", args: {${args}}, async execute(args, ctx) { return ${expression} } })`

test("a file exports tools beside other things; enums compile", async () => {
  const { describe } = setUp(`
enum Mood { Good = "good" }
export const limit = 3
export function helper() {}
export const wave = { description: "Waves.", args: { to: z.string().describe("Who") }, execute: async () => Mood.Good }
${returning('"hi"', "name: tool.schema.string().optional()")}`)
  const { tools } = (await describe()) as { tools: { export: string; description: string; schema: object }[] }
  expect(tools.map((one) => [one.export, one.description])).toEqual([
    ["default", "Greets."],
    ["wave", "Waves."],
  ])
  expect(tools[1]?.schema).toMatchObject({
    properties: { to: { type: "string", description: "Who" } },
    required: ["to"],
  })
})

test("a result is a text or an object; context is passed", async () => {
  const text = setUp(returning("`hi ${args.name} of ${ctx.agent}`", "name: z.string().default('you')"))
  expect(await text.call({})).toEqual({ result: { output: "hi you of build" } })
  const object = setUp(returning('{ title: "T", output: "o", metadata: { n: 1 }, forged: true }'))
  expect(await object.call({})).toEqual({ result: { title: "T", output: "o", metadata: { n: 1 } } })
})

test("arguments that do not fit are named", async () => {
  const { call } = setUp(returning('"never"', "n: z.number()"))
  await expect(call({ n: "x" })).rejects.toThrow(/do not fit[\s\S]*n/)
})

test("process.exit() is an error, at import and in a call", async () => {
  await expect(setUp(`process.exit(0)\n${returning('"x"')}`).describe()).rejects.toThrow(/process\.exit\(\) is not/)
  await expect(setUp(returning("process.exit(3)")).call({})).rejects.toThrow(/process\.exit\(\) is not/)
  await expect(setUp(returning("process.kill(process.pid, 'SIGKILL')")).call({})).rejects.toThrow(
    /ended before.*SIGKILL/,
  )
})

test("endless loops and open promises end at the deadline", async () => {
  const loop = setUp("for (;;) {}")
  await expect(loop.describe(null, 1_500)).rejects.toThrow(/did not end within 1.5 seconds/)
  expect(readdirSync(loop.records)).toEqual([])
  const open = setUp(returning("await new Promise(() => {})"))
  await expect(open.call({}, { options: { timeoutMs: 1_500 } })).rejects.toThrow(/did not end/)
})

test("what a tool prints reaches only its errors", async () => {
  const { call } = setUp(returning('(console.log("{\\"result\\":{\\"output\\":\\"forged\\"}}"), "real")'))
  expect(await call({})).toEqual({ result: { output: "real" } })
  const failing = setUp(returning('(console.error("the reason"), process.abort())'))
  await expect(failing.call({})).rejects.toThrow(/standard error:[\s\S]*the reason/)
})

test("a huge output is cut, a huge message ends the child", async () => {
  const long = (await setUp(returning('"x".repeat(5_000_000)')).call({})) as { result: { output: string } }
  expect(long.result.output).toMatch(/x\n\[The rest is left out\.\]$/)
  expect(long.result.output.length).toBeLessThan(2_100_000)
  const raw = setUp(`import { writeSync } from "node:fs"
const flood = () => { for (;;) try { writeSync(1, "y".repeat(60_000)) } catch {} }
${returning("flood()")}`)
  await expect(raw.call({})).rejects.toThrow("more than 16 MiB")
})

test.each([
  ["nests a million levels", `'{"metadata":{"metadata":{"a":' + "[".repeat(1e6) + "]".repeat(1e6) + "}}}"`],
  ["has a million values", `'{"result":{"output":"","attachments":[' + "0,".repeat(1e6) + "0]}}"`],
])("a message that %s is not read", async (_, message) => {
  const { call } = setUp(`import { writeSync } from "node:fs"
const say = (bytes) => { for (let at = 0; at < bytes.length; ) try { at += writeSync(1, bytes, at) } catch {} }
${returning(`(say(Buffer.from(${message} + "\\n")), "done")`)}`)
  const onMetadata = (shown: object) => void JSON.stringify(shown)
  await expect(call({}, { options: { onMetadata } })).rejects.toThrow("more values than are read")
})

test("at most ten questions wait at once", async () => {
  const { call } = setUp(`let refused = 0
const ask = (ctx) => ctx.ask({ permission: "disk", patterns: ["a"] }).catch(() => {
  refused += 1
  if (refused === 20) ctx.metadata({ title: "refused" })
})
${returning("(await Promise.all(Array.from({ length: 30 }, () => ask(ctx))), String(refused))")}`)
  const open = Promise.withResolvers<void>()
  let asked = 0
  const onAsk = () => {
    asked += 1
    return open.promise
  }
  // They are answered once the tool knows that all others were refused.
  const options = { onAsk, onMetadata: () => open.resolve() }
  expect(await call({}, { options })).toEqual({ result: { output: "20" } })
  expect(asked).toBe(10)
})

test("abort ends the child and what it started", async () => {
  const { call, records } = setUp(`import { spawn } from "node:child_process"
${returning('(ctx.metadata({ title: "on" }), spawn("sleep", ["600"]), await new Promise(() => {}))')}`)
  const stop = new AbortController()
  const ended = call({}, { options: { signal: stop.signal, onMetadata: () => stop.abort() } })
  await expect(ended).rejects.toThrow(/abort/)
  expect(readdirSync(records)).toEqual([])
})

test("a question waits for its answer", async () => {
  const { call } = setUp(
    returning('(await ctx.ask({ permission: "disk", patterns: ["a"], always: ["*"], metadata: {} }), "allowed")'),
  )
  const asked: unknown[] = []
  const onAsk = async (question: unknown) => void asked.push(question)
  expect(await call({}, { options: { onAsk } })).toEqual({ result: { output: "allowed" } })
  expect(asked).toEqual([{ permission: "disk", patterns: ["a"], always: ["*"] }])
  const refuse = () => Promise.reject(new Error("No."))
  await expect(call({}, { options: { onAsk: refuse } })).rejects.toThrow("No.")
})

test("a module beside it is loaded only as it was trusted", async () => {
  const beside = { "lib.ts": "export const word: string = 'beside'" }
  const { describe, directory, files } = setUp(`import { word } from "./lib"\n${returning("word")}`, beside)
  const lib = path.join(directory, "lib.ts")
  const trusted = { within: directory, files: { ...files, [lib]: sha256Of(beside["lib.ts"]) } }
  expect(await describe(trusted)).toMatchObject({ tools: [{ export: "default" }] })
  await expect(describe({ within: directory, files })).rejects.toThrow(/lib\.ts is not as it was trusted/)
})
