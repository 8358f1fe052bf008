import { mkdtemp, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import type { ToolPart } from "../../ground/schema/index.ts"
import {
  answer,
  lastUserText,
  type Script,
  type ScriptedRuntime,
  scriptedRuntime,
  toolResults,
} from "../../test/scripted-runtime.ts"
import { maxResultBytes, storedResult } from "./task-answers.ts"

test.each([
  ["Chinese", "字".repeat(6_000)],
  ["emoji", "🦊".repeat(5_000)],
  ["emoji behind one letter", `x${"🦊".repeat(5_000)}yz`],
  ["one byte too long", "a".repeat(maxResultBytes + 1)],
])("a long answer is cut at whole characters: %s", async (_, text) => {
  const directory = await mkdtemp(join(tmpdir(), "docket-result-"))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  const { result, path } = await storedResult(text, { directory, name: "r.md" })
  expect(await readFile(path ?? "", "utf8")).toBe(text)
  const [, head = "", left, tail = ""] = /^(.*)\n\n\[… (\d+) bytes left out; .*\]\n\n(.*)$/s.exec(result) ?? []
  expect(text.startsWith(head) && text.endsWith(tail)).toBe(true)
  expect(head.isWellFormed() && tail.isWellFormed()).toBe(true)
  expect(Buffer.byteLength(head) + Number(left) + Buffer.byteLength(tail)).toBe(Buffer.byteLength(text))
  expect(Buffer.byteLength(result)).toBeLessThan(maxResultBytes)
})

test("an answer of exactly the limit is kept as it is", async () => {
  const text = "a".repeat(maxResultBytes)
  expect(await storedResult(text, { directory: "/nowhere", name: "r.md" })).toEqual({ result: text, path: null })
})

const config = { delegation: { envelope: false }, permission: "allow" }
const task = (prompt: string, more: object = {}) => ({
  tool: "task",
  input: { subagent_type: "explore", prompt, description: prompt, ...more },
})

async function outputs(host: ScriptedRuntime, of: ScriptedRuntime = host): Promise<string[]> {
  const { items } = await host.messages(of.session.id)
  return items
    .flatMap(({ parts }) => parts.filter((part): part is ToolPart => part.type === "tool"))
    .map(({ state }) => (state.status === "error" ? state.error : state.status === "completed" ? state.output : ""))
}

const never: Script = ({ abortSignal }) =>
  new Promise((_, reject) => abortSignal?.addEventListener("abort", () => reject(abortSignal.reason), { once: true }))

/**
 * A child that reports a finding, makes 25 calls (more than the search for its last text reads at once) and then works
 * forever; the parent waits for it.
 */
function working(reached: () => void): Script {
  return (options) => {
    const results = toolResults(options)
    if (lastUserText(options) === "Start") return results.length > 0 ? answer("end") : answer("", task("dig"))
    if (results.length < 25)
      return answer(results.length === 0 ? "Found half." : "", {
        tool: "glob",
        input: { pattern: `${results.length}` },
      })
    reached()
    return never(options)
  }
}

async function untilWorking(run: (script: Script) => Promise<ScriptedRuntime>) {
  const reached = Promise.withResolvers<void>()
  const host = await run(working(reached.resolve))
  const turn = host.prompt("Start")
  turn.catch(() => {})
  await reached.promise
  return { host, turn }
}

const partial = /<partial_result>\nFound half\.\n<\/partial_result>/

test("a crash keeps a child's partial result in task and call", async () => {
  const { host: first } = await untilWorking((script) => scriptedRuntime(script, { config }))
  // The last text about the child is stored.
  await expect
    .poll(async () => JSON.stringify((await first.messages()).items).match(/"status":"completed"/g))
    .toHaveLength(25)
  // The process dies here: a second runtime opens the same rows.
  const told: string[] = []
  await using second = await scriptedRuntime(
    (options) => {
      told.push(JSON.stringify(options.prompt))
      return answer("I see.")
    },
    { store: first.store, directory: first.directory },
  )
  await expect.poll(async () => (await second.runtime.session.tree(first.session.id)).turns).toEqual([])
  const [ended] = await second.runtime.task.list(first.session.id)
  expect(ended).toMatchObject({ state: "interrupted", result: "Found half." })
  const [output] = await outputs(second, first)
  expect(output).toMatch(partial)
  expect(output).toContain(`session_id: ${ended?.sessionID}`)
  expect(told[0]).toContain("Found half.")
  await first[Symbol.asyncDispose]()
})

test("a stop of the parent keeps a child's partial result", async () => {
  const { host, turn } = await untilWorking((script) => scriptedRuntime(script, { config }))
  await using _ = host
  await host.runtime.abort(host.session.id)
  expect((await turn).status).toBe("aborted")
  expect(await host.runtime.task.list(host.session.id)).toMatchObject([{ state: "cancelled", result: "Found half." }])
  expect((await outputs(host))[0]).toMatch(partial)
})

test("a stop of the service keeps a child's partial result", async () => {
  const { host } = await untilWorking((script) => scriptedRuntime(script, { config }))
  await host.runtime.close()
  expect((await outputs(host))[0]).toMatch(partial)
  const [ended] = await host.runtime.task.list(host.session.id)
  expect(ended).toMatchObject({ state: "interrupted", result: "Found half." })
  await host[Symbol.asyncDispose]()
})

test("an inline /agent command returns a failed child's partial result", async () => {
  let told = ""
  await using host = await scriptedRuntime(
    (options) => {
      const text = lastUserText(options)
      if (text === "Start") return answer("/agent explore dig")
      if (text !== "dig") {
        told = text
        return answer("end")
      }
      return toolResults(options).length === 0
        ? answer("Found half.", { tool: "glob", input: { pattern: "*" } })
        : [{ type: "error", error: new Error("the model broke") }]
    },
    { config },
  )
  await host.prompt("Start")
  expect(told).toMatch(partial)
  expect(told).toContain("UPSTREAM FAILED")
})

test("a resumed child stopped early does not return the earlier task's result", async () => {
  const reached = Promise.withResolvers<void>()
  await using host = await scriptedRuntime(
    (options) => {
      const text = lastUserText(options)
      if (text === "dig") return answer("All of it.")
      if (text === "more") {
        reached.resolve()
        return never(options)
      }
      if (toolResults(options).length > 0) return answer("end")
      return answer("", text === "Start" ? task("dig") : task("more", { task_id: 1 }))
    },
    { config },
  )
  await host.prompt("Start")
  const turn = host.prompt("Again")
  await reached.promise
  await host.runtime.abort(host.session.id)
  await turn
  expect((await host.runtime.task.list(host.session.id)).map(({ state, result }) => [state, result])).toEqual([
    ["completed", "All of it."],
    ["cancelled", null],
  ])
})
