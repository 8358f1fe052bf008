import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { z } from "zod"
import { createBuiltinTools } from "../../engine/builtin-tools/builtin-tools.ts"
import { changedTodos, createTodoReadTool, createTodoWriteTool } from "../../engine/builtin-tools/todo.ts"
import { createTodoUpdateTool } from "../../engine/builtin-tools/todo-update.ts"
import { TodoMetadata, toolNames } from "../../ground/schema/tool-metadata.ts"
import { todoFixture } from "../../test/todo-fixture.ts"
import { repairToolName, runTool, unknownToolMessage } from "./run-tool.ts"
import { createToolFixture } from "./test/tool-fixture.ts"
import { defineTool } from "./tool.ts"
import { toolSchemas } from "./tool-schemas.ts"

const shout = defineTool({
  id: "shout",
  description: "",
  parameters: z.object({ text: z.string(), times: z.int().min(1).optional() }),
  permission: "shout",
  parallel: true,
  execute: async ({ text, times = 1 }) => ({ title: "loud", output: text.repeat(times), metadata: {} }),
})

describe("runTool", () => {
  it("tells the model what is wrong with its arguments", async () => {
    const { context } = createToolFixture()
    await expect(runTool(shout, { text: 1, times: 0 }, context)).rejects.toThrow(
      /^The shout tool was called with invalid arguments:\n- text: .*string.*\n- times: .*1\n.*\{ text: string, times\?: integer \}/,
    )
    await expect(runTool(shout, "{broken", context)).rejects.toThrow("- arguments:")
    await expect(runTool(shout, undefined, context)).rejects.toThrow("- text:")
  })

  it("names the values that an argument with several forms takes", async () => {
    const { context } = createToolFixture()
    const parameters = z.object({ until: z.union([z.enum(["all", "any"]), z.int().positive()]).default("all") })
    const gather = defineTool({ ...shout, id: "gather", parameters, execute: async () => Promise.reject() })
    await expect(runTool(gather, { until: "most" }, context)).rejects.toThrow('{ until?: "all" | "any" | integer }')
  })

  it("accepts arguments that come as JSON text", async () => {
    const { context } = createToolFixture()
    expect((await runTool(shout, '{"text":"a"}', context)).output).toBe("a")
  })

  it.each([
    ["lines", "é\n", 3_000],
    ["bytes", "é", 1_000_000],
  ])("shortens an output of too many %s and saves it", async (_name, text, times) => {
    const { context } = createToolFixture()
    const result = await runTool(shout, { text, times }, context)
    const [shown, note] = result.output.split("\n\n(")
    expect(Buffer.byteLength(shown ?? "")).toBeLessThanOrEqual(51_200)
    expect(shown?.split("\n").length).toBeLessThanOrEqual(2_001)
    expect(shown).not.toContain("\uFFFD")
    const file = String(result.metadata.outputPath)
    expect(result.metadata.truncated).toBe(true)
    expect(note).toContain(file)
    expect(readFileSync(file, "utf8")).toBe(text.repeat(times))
  })

  it("changes nothing in a short output except NUL", async () => {
    const { context } = createToolFixture()
    expect(await runTool(shout, { text: "a\0b" }, context)).toEqual({ title: "loud", output: "a\uFFFDb", metadata: {} })
  })

  it("does not start after an abort", async () => {
    const { context, abort } = createToolFixture()
    abort.abort()
    await expect(runTool(shout, { text: "a" }, context)).rejects.toMatchObject({ name: "AbortError" })
  })
})

describe("repairToolName", () => {
  const known = ["read", "bash", "todowrite", "todoread", "edit"]
  it.each([
    ["read", "read"],
    ["Read", "read"],
    ["todo_write", "todowrite"],
    ["TodoWrite", "todowrite"],
    ["functions.bash", "bash"],
    ["functions.Todo-Write", "todowrite"],
    ["Shell", null],
    ["str_replace", null],
    ["bash_tool", null],
    ["edt", null],
    ["grep", null],
    ["constructor", null],
    ["", null],
  ])("%s → %s", (name, expected) => {
    expect(repairToolName(name, known)).toBe(expected)
  })

  const tool = (id: string, parameters = z.strictObject({ command: z.string(), timeout: z.int().optional() })) => ({
    id,
    parameters,
  })
  const tools = known.map((id) => tool(id))
  it("lists the available tools", () => {
    expect(unknownToolMessage("fly", tools)).toBe(
      'There is no tool called "fly". The tools are: read, bash, todowrite, todoread, edit.',
    )
    expect(unknownToolMessage("fly", [])).toBe(
      'There is no tool called "fly". No tools are available now; answer in text.',
    )
  })

  it.each([
    ["Shell", "bash"],
    ["edt", "edit"],
    ["multi_edit", "edit"],
    ["bash_tool", "bash"],
    ["todo_writer", "todowrite"],
  ])("names the nearest tool to %s with its arguments: %s", (name, nearest) => {
    expect(unknownToolMessage(name, tools)).toContain(
      `There is no tool called "${name}". The nearest is ${nearest}, which takes { command: string, timeout?: integer }. Nothing was run`,
    )
  })

  it("reports that nobody can be asked without a question tool", () => {
    expect(unknownToolMessage("ask_user", tools)).toMatch(/^Nobody can be asked from here/)
    expect(unknownToolMessage("ask_user", [...tools, tool("question")])).toContain("The nearest is question")
  })
})

describe("the built-in tools", () => {
  const builtinTools = async () => {
    const { todos } = await todoFixture()
    const sessionMemory = () => {
      throw new Error("no call reaches the memory here")
    }
    return createBuiltinTools({ env: process.env, clock: Date.now, todos, sessionMemory })
  }

  it("have unique names, each with its metadata schema", async () => {
    const tools = await builtinTools()
    const names = tools.map((tool) => tool.id)
    expect(names).toHaveLength(new Set(names).size)
    expect(toolNames).toEqual(expect.arrayContaining(names))
    expect(tools.find((tool) => tool.id === "write")?.permission).toBe("edit")
  })

  it("describe their arguments as JSON Schema objects", async () => {
    const tools = await builtinTools()
    for (const { name, description, inputSchema } of toolSchemas(tools)) {
      expect(name).toMatch(/^[a-z]+(_[a-z]+)*$/)
      expect(description.length).toBeGreaterThan(50)
      expect(inputSchema).toMatchObject({ type: "object" })
      expect(inputSchema).not.toHaveProperty("$schema")
    }
    expect(toolSchemas([shout])[0]?.inputSchema.required).toEqual(["text"])
  })
})

describe("todo tools", () => {
  it("explain when to plan, when not, and how to maintain the list", async () => {
    const { todos } = await todoFixture()
    const { description } = createTodoWriteTool({ todos })
    for (const advice of [
      "three or more steps",
      "asks for a list",
      "Leave it out for a question or a single small change",
      "keep only one so",
      "completed as soon as it is done",
      "cancelled for what turned out not to be needed",
      "Send the whole list every time",
      "Keep content short",
    ]) {
      expect(description).toContain(advice)
    }
    expect(createTodoUpdateTool({ todos }).description).toContain("when several agents work from one list")
  })

  const item = (content: string, status = "pending", id?: string) => ({
    content,
    status,
    priority: "medium",
    ...(id && { id }),
  })

  async function setUp() {
    const fixture = await todoFixture()
    const { context } = createToolFixture()
    return { ...fixture, context: { ...context, sessionID: fixture.session.id } }
  }

  it("replace and read the list in one form", async () => {
    const { todos, context } = await setUp()
    const written = await runTool(
      createTodoWriteTool({ todos }),
      { todos: [item("plan", "completed"), item("build", "in_progress"), item("drop", "cancelled")] },
      context,
    )
    expect(written.title).toBe("2 todos")
    expect(Object.keys(JSON.parse(written.output)[0])).toEqual(["id", "content", "status", "priority", "number"])
    expect(TodoMetadata.parse(written.metadata).todos).toHaveLength(3)
    const { changed: _, ...metadata } = written.metadata
    expect(await runTool(createTodoReadTool({ todos }), {}, context)).toEqual({ ...written, metadata })
    const [change] = await todos.history({ sessionID: context.sessionID })
    expect(change).toMatchObject({ actor: { kind: "agent", name: context.agent }, partID: context.partID })
  })

  it("record new, changed and removed items of a call", async () => {
    const { todos, context } = await setUp()
    const tool = createTodoWriteTool({ todos })
    await runTool(tool, { todos: [item("plan"), item("build")] }, context)
    const [plan] = await todos.list(context.sessionID)
    const secondList = [item("Plan it well", "completed", plan?.id), item("build"), item("test", "in_progress")]
    const { metadata } = await runTool(tool, { todos: secondList }, context)
    expect(TodoMetadata.parse(metadata).changed).toEqual([
      { content: "Plan it well", from: "pending", to: "completed" },
      { content: "test", from: null, to: "in_progress" },
    ])
    const list = await todos.list(context.sessionID)
    expect(changedTodos(list, list.slice(1))).toEqual([{ content: "Plan it well", from: "completed", to: null }])
  })

  it("warn about two items in progress and refuse doubles", async () => {
    const { todos, context } = await setUp()
    const tool = createTodoWriteTool({ todos })
    const two = await runTool(tool, { todos: [item("a", "in_progress"), item("b", "in_progress")] }, context)
    expect(two.output).toContain("Warning: 2 todos are in_progress")
    await expect(runTool(tool, { todos: [item("a"), item(" a ")] }, context)).rejects.toThrow('same content "a"')
    await expect(
      runTool(tool, { todos: [item("a", "pending", "x"), item("b", "pending", "x")] }, context),
    ).rejects.toThrow("same id")
    await expect(runTool(tool, { todos: [item("x".repeat(1_000_000))] }, context)).rejects.toThrow("todos.0.content")
    expect(await todos.list(context.sessionID)).toHaveLength(2)
  })

  it("patch one item by id or number and answer with the list", async () => {
    const { todos, context } = await setUp()
    await runTool(createTodoWriteTool({ todos }), { todos: [item("a"), { ...item("b"), dependsOn: ["a"] }] }, context)
    const tool = createTodoUpdateTool({ todos })
    await expect(runTool(tool, { todo: 2, status: "in_progress" }, context)).rejects.toThrow('blocked by #1 "a"')
    const patched = await runTool(tool, { todo: "#1", status: "completed", description: "how" }, context)
    expect(patched.title).toBe("#1 completed")
    expect(JSON.parse(patched.output)).toMatchObject([{ status: "completed", description: "how" }, { number: 2 }])
    await expect(runTool(tool, { todo: 2 }, context)).rejects.toThrow("say what to change")
    await expect(runTool(tool, { todo: 9, status: "completed" }, context)).rejects.toThrow("There is no todo #9")
  })
})
