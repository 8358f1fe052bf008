import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { describe, expect, it, test } from "vitest"
import { z } from "zod"
import { createTodoWriteTool } from "../../engine/builtin-tools/todo.ts"
import { toolNames } from "../../ground/schema/tool-metadata.ts"
import { answer, scriptedRuntime } from "../../test/scripted-runtime.ts"
import { todoFixture } from "../../test/todo-fixture.ts"
import { createLspTool } from "./lsp.ts"
import { parseArguments } from "./parse-arguments.ts"
import { runTool } from "./run-tool.ts"
import { createToolFixture } from "./test/tool-fixture.ts"
import { defineTool } from "./tool.ts"
import { inputSchema } from "./tool-schemas.ts"
import { createToolSearchTool } from "./tool-search.ts"

const search = defineTool({
  id: "search",
  description: "",
  parameters: z.strictObject({
    filePath: z.string(),
    limit: z.int().min(1).optional(),
    deep: z.boolean().optional(),
    until: z.union([z.enum(["all", "any"]), z.int()]).optional(),
    schema: z.record(z.string(), z.unknown()).optional(),
    steps: z.array(z.strictObject({ name: z.string(), rank: z.number().optional() })).optional(),
  }),
  permission: "search",
  parallel: true,
  ignores: ["explanation"],
  execute: async () => Promise.reject(new Error("not run here")),
})
const parse = (input: unknown) => parseArguments(search, input)

describe("an argument that a tool does not know", () => {
  it("is refused with the valid names and the likely intended one", () => {
    expect(() => parse({ file_path: "a", limit: 1 })).toThrow(
      /^The search tool was called with invalid arguments:\n- filePath: is missing\n- file_path: there is no such argument\. Did you mean "filePath"\?\nIt expects \{ filePath: string, limit\?: integer, /,
    )
    expect(() => parse({ filePath: "a", run_in_background: true })).toThrow("run_in_background: there is no such")
  })

  it("is refused in the items of a list too", () => {
    expect(() => parse({ filePath: "a", steps: [{ name: "x", ranks: 1 }] })).toThrow(
      'steps.0.ranks: there is no such argument. Did you mean "rank"?',
    )
  })

  it("is ignored when it is null or a common model mistake", () => {
    expect(parse({ filePath: "a", mode: null, explanation: "because" })).toEqual({ filePath: "a" })
  })
})

describe("an argument of another type", () => {
  it.each([
    [{ limit: "5" }, { limit: 5 }],
    [{ deep: "True" }, { deep: true }],
    [{ until: "2" }, { until: 2 }],
    [{ schema: '{"type":"object"}' }, { schema: { type: "object" } }],
    [{ steps: '[{"name":"x","rank":"3"}]' }, { steps: [{ name: "x", rank: 3 }] }],
    [
      { limit: null, steps: [{ name: "x", rank: null }] },
      { limit: undefined, steps: [{ name: "x" }] },
    ],
    // Null is a meaningful value where the schema allows anything.
    [{ schema: { const: null } }, { schema: { const: null } }],
  ])("is converted when only one meaning is possible: %j", (given, expected) => {
    expect(parse({ filePath: "a", ...given })).toEqual({ filePath: "a", ...expected })
  })

  it.each([
    [{ limit: "five" }, "limit: "],
    [{ limit: "" }, "limit: "],
    [{ deep: "yes" }, "deep: "],
    [{ schema: "[1]" }, "schema: "],
    [{ steps: "x" }, "steps: "],
    [{ filePath: 7 }, "filePath: "],
    [{ filePath: null }, "filePath: is missing"],
  ])("is refused otherwise: %j", (given, words) => {
    expect(() => parse({ filePath: "a", ...given })).toThrow(words)
  })

  it("leaves the model's input unchanged", () => {
    const input = { filePath: "a", limit: "5", mode: null }
    parse(input)
    expect(input).toEqual({ filePath: "a", limit: "5", mode: null })
  })
})

test("todowrite accepts todoread's list and refuses arguments it would lose", async () => {
  const { todos, session } = await todoFixture()
  const { context } = createToolFixture()
  const tool = createTodoWriteTool({ todos })
  const item = { content: "a", status: "pending", priority: "high" }
  const call = (more: object) => runTool(tool, { todos: [{ ...item, ...more }] }, { ...context, sessionID: session.id })
  const { output } = await call({ activeForm: "Doing a" })
  await call(JSON.parse(output)[0])
  await expect(call({ depends_on: ["b"] })).rejects.toThrow(
    'todos.0.depends_on: there is no such argument. Did you mean "dependsOn"?',
  )
})

test("every tool schema forbids additional arguments at any depth", async () => {
  const offered = new Map<string, unknown>()
  await using host = await scriptedRuntime(
    ({ tools = [] }) => {
      for (const tool of tools) if (tool.type === "function") offered.set(tool.name, tool.inputSchema)
      return answer("Fine.")
    },
    { config: { websearch: { provider: "exa" } } },
  )
  const skill = join(host.directory, ".home/.claude/skills/pdf")
  await mkdir(skill, { recursive: true })
  await writeFile(join(skill, "SKILL.md"), "---\nname: pdf\ndescription: Fills forms.\n---\nText.\n")
  const gpt = { providerID: "test", modelID: "gpt-5" }
  for (const prompt of [{ agent: "build" }, { agent: "plan" }, { agent: "build", model: gpt }]) {
    const { id } = await host.runtime.prompt.submit(host.session.id, {
      parts: [{ type: "text", text: "Hello" }],
      ...prompt,
    })
    await host.runtime.prompt.wait(id)
  }
  offered.set("lsp", inputSchema(createLspTool({ unavailable: "no language server runs yet" })))
  offered.set("tool_search", inputSchema(createToolSearchTool([])))
  // Models are not told of multiedit.
  expect([...offered.keys(), "multiedit"].sort()).toEqual([...toolNames].sort())
  for (const [name, schema] of offered) expect([name, openObjects(schema)]).toEqual([name, []])
})

/** Places in a JSON Schema where an object with named properties also accepts others. */
function openObjects(schema: unknown, at = "$"): string[] {
  if (typeof schema !== "object" || schema === null) return []
  const isOpen =
    "properties" in schema && (!("additionalProperties" in schema) || schema.additionalProperties !== false)
  const inner = Object.entries(schema).flatMap(([key, value]) => openObjects(value, `${at}.${key}`))
  return isOpen ? [at, ...inner] : inner
}
