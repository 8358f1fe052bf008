import type { LanguageModelV4FunctionTool, LanguageModelV4Prompt, LanguageModelV4StreamPart } from "@ai-sdk/provider"
import { describe, expect, it } from "vitest"
import { createFileLocks } from "../../acts/tool/file-locks.ts"
import { createGlobTool } from "../../acts/tool/glob.ts"
import { createGrepTool } from "../../acts/tool/grep.ts"
import { createListTool } from "../../acts/tool/list.ts"
import { createReadTool } from "../../acts/tool/read.ts"
import { findRipgrep } from "../../acts/tool/ripgrep.ts"
import { createToolFixture, type ToolFixture } from "../../acts/tool/test/tool-fixture.ts"
import type { Tool } from "../../acts/tool/tool.ts"
import { createWriteTool } from "../../acts/tool/write.ts"
import { findAgent, resolveAgents } from "../../setup/agent/resolve-agents.ts"
import { systemPrompt } from "../prompt/system/system-prompt.ts"
import { createRehearsalModel } from "./create-rehearsal-model.ts"

const ripgrep = findRipgrep()
const reading: Tool[] = [createListTool(), createGlobTool({ ripgrep }), createGrepTool({ ripgrep }), createReadTool()]
const writing: Tool[] = [...reading, createWriteTool({ withFileLock: createFileLocks() })]

async function collect(stream: ReadableStream<LanguageModelV4StreamPart>): Promise<LanguageModelV4StreamPart[]> {
  const parts: LanguageModelV4StreamPart[] = []
  for await (const part of stream) parts.push(part)
  return parts
}

async function execute(fixture: ToolFixture, tools: Tool[], name: string, input: string) {
  if (name === "todowrite") return { type: "text" as const, value: input }
  if (name === "task")
    return { type: "text" as const, value: await run(fixture, reading, "explore", JSON.parse(input).prompt) }
  const tool = tools.find(({ id }) => id === name)
  try {
    const args = tool?.parameters.parse(JSON.parse(input))
    return { type: "text" as const, value: (await tool?.execute(args, fixture.context))?.output ?? "" }
  } catch (error) {
    return { type: "error-text" as const, value: String(error) }
  }
}

/** Runs a turn with real tools on a real project; returns the last answer. */
async function run(fixture: ToolFixture, tools: Tool[], agentName: string, request: string): Promise<string> {
  const agent = findAgent(resolveAgents({}), agentName)
  const system = systemPrompt({
    agent,
    model: { providerID: "docket", modelID: "rehearsal" },
    directory: fixture.project,
    worktree: fixture.project,
    git: true,
    gitState: null,
    apart: false,
    shell: "bash",
    watched: true,
    tools: new Set(tools.map(({ id }) => id)),
    platform: "linux",
    date: new Date(0),
    instructions: [],
  })
  const offered = [...tools.map(({ id }) => id), ...(agentName === "build" ? ["todowrite", "task"] : [])]
  const definitions: LanguageModelV4FunctionTool[] = offered.map((name) => ({
    type: "function",
    name,
    inputSchema: {},
  }))
  const prompt: LanguageModelV4Prompt = [
    ...system.map((content) => ({ role: "system" as const, content })),
    { role: "user", content: [{ type: "text", text: request }] },
  ]
  const model = createRehearsalModel({ chunkDelay: 0 })
  for (let step = 0; step < 12; step++) {
    const { stream } = await model.doStream({ prompt, tools: definitions })
    const parts = await collect(stream)
    const calls = parts.filter((part) => part.type === "tool-call")
    const text = parts.flatMap((part) => (part.type === "text-delta" ? [part.delta] : [])).join("")
    if (calls.length === 0) return text
    prompt.push({
      role: "assistant",
      content: calls.map(({ toolCallId, toolName, input }) => ({
        type: "tool-call",
        toolCallId,
        toolName,
        input: JSON.parse(input),
      })),
    })
    const content = await Promise.all(
      calls.map(async ({ toolCallId, toolName, input }) => ({
        type: "tool-result" as const,
        toolCallId,
        toolName,
        output: await execute(fixture, tools, toolName, input),
      })),
    )
    prompt.push({ role: "tool", content })
  }
  throw new Error("the turn did not end")
}

function createProject(): ToolFixture {
  const fixture = createToolFixture()
  fixture.write("README.md", "# Queue\n\nRetries failed jobs.\n")
  fixture.write("package.json", '{ "scripts": { "test": "vitest" } }\n')
  fixture.write("src/queue.ts", `${"// filler\n".repeat(40)}export function retryQueue() {}\n`)
  fixture.write("src/use.ts", 'import { retryQueue } from "./queue.ts"\nretryQueue()\n')
  return fixture
}

describe("on a real project with the real tools", () => {
  it("reports the real places of requested names", async () => {
    const report = await run(createProject(), writing, "build", "Explain how `retryQueue` is used")
    expect(report).toContain("`src/queue.ts:41` — `export function retryQueue() {}`")
    expect(report).toContain("`src/use.ts:2`")
    expect(report).not.toContain("Did not work")
  })

  it("writes, then appends to a file on disk", async () => {
    const fixture = createProject()
    const report = await run(fixture, writing, "build", "write hello to notes.txt")
    expect(fixture.read("notes.txt")).toBe("hello\n")
    expect(report).toContain("`notes.txt:1` was written")
    await run(fixture, writing, "build", "append `world` to notes.txt")
    expect(fixture.read("notes.txt")).toBe("hello\nworld\n")
    await run(fixture, writing, "build", "append `first` to new.txt")
    expect(fixture.read("new.txt")).toBe("first\n")
  })

  it("explores the layout and the manifests", async () => {
    const report = await run(
      createProject(),
      reading,
      "explore",
      "Layout: which directories and files does this project have?",
    )
    expect(report).toContain("At the top: `src/`, `README.md`, `package.json`.")
    expect(report).toContain("`README.md:1` — `# Queue`")
  })
})

describe("the stream", () => {
  const prompt: LanguageModelV4Prompt = [{ role: "user", content: [{ type: "text", text: "look around" }] }]
  const tools: LanguageModelV4FunctionTool[] = [{ type: "function", name: "todowrite", inputSchema: {} }]

  it("has reasoning, text, a tool call and a finish, with zero tokens", async () => {
    const { stream } = await createRehearsalModel({ chunkDelay: 0, createCallID: () => "c1" }).doStream({
      prompt,
      tools,
    })
    const parts = await collect(stream)
    const types = parts.map(({ type }) => type).filter((type, index, all) => type !== all[index - 1])
    expect(types).toEqual([
      "stream-start",
      "response-metadata",
      "reasoning-start",
      "reasoning-delta",
      "reasoning-end",
      "text-start",
      "text-delta",
      "text-end",
      "tool-input-start",
      "tool-input-delta",
      "tool-input-end",
      "tool-call",
      "finish",
    ])
    expect(parts.filter(({ type }) => type === "text-delta").length).toBeGreaterThan(5)
    const finish = parts.at(-1)
    expect(finish).toMatchObject({ finishReason: { unified: "tool-calls" } })
    expect(finish?.type === "finish" && [finish.usage.inputTokens.total, finish.usage.outputTokens.total]).toEqual([
      0, 0,
    ])
  })

  it("stops when it is aborted, in a pause too", async () => {
    const controller = new AbortController()
    const { stream } = await createRehearsalModel({ chunkDelay: 60_000 }).doStream({
      prompt,
      tools,
      abortSignal: controller.signal,
    })
    const reader = stream.getReader()
    await reader.read()
    await reader.read()
    await reader.read()
    const next = reader.read()
    controller.abort(new Error("stopped"))
    await expect(next).rejects.toThrow("stopped")
  })

  it("generates the same parts without streaming", async () => {
    const result = await createRehearsalModel().doGenerate({ prompt, tools })
    expect(result.content.map(({ type }) => type)).toEqual(["reasoning", "text", "tool-call"])
  })
})
