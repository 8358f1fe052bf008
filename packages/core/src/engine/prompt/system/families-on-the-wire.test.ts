import { afterAll, beforeAll, expect, test } from "vitest"
import { z } from "zod"
import { toolNames } from "../../../ground/schema/tool-metadata.ts"
import type { Format } from "../../../test/strict-provider/start-strict-provider.ts"
import { type StrictRuntime, strictRuntime } from "../../../test/strict-provider/strict-runtime.ts"

const byFile = ["edit", "write"]
const byPatch = ["apply_patch"]

/** Each family with a model of it, the wire that it comes by, its own section, and how it changes files. */
const families: [format: Format, modelID: string, heading: string, changes: string[], todos: boolean][] = [
  ["anthropic", "claude-sonnet-4-5", "Pace", byFile, true],
  ["openai", "gpt-5.2", "Seeing it through", byPatch, true],
  ["openai", "gpt-4.1", "Persistence", byFile, true],
  ["google", "gemini-3-pro-preview", "Mandates", byFile, true],
  ["compatible", "arcee-ai/trinity-large", "Keeping the thread", byFile, true],
  ["compatible", "qwen3-coder", "Method", byFile, false],
  ["compatible", "openai/gpt-5-codex", "Seeing it through", byPatch, true],
  ["compatible", "anthropic/claude-opus-4-5", "Pace", byFile, true],
]
const headings = [...new Set(families.map(([, , heading]) => heading))]

const Text = z.object({ text: z.string() })
const Message = z.looseObject({ role: z.string().optional(), content: z.unknown() })
const Named = z.object({ name: z.string() })
const Bodies = {
  anthropic: z.object({ system: z.array(Text), tools: z.array(Named) }),
  openai: z.object({ input: z.array(Message), tools: z.array(Named) }),
  google: z.object({
    systemInstruction: z.object({ parts: z.array(Text) }),
    tools: z.array(z.object({ functionDeclarations: z.array(Named) })),
  }),
  compatible: z.object({ messages: z.array(Message), tools: z.array(z.object({ function: Named })) }),
}

const textOf = (messages: z.infer<typeof Message>[]) =>
  messages.filter(({ role }) => role === "system" || role === "developer").map(({ content }) => String(content))

/** The system prompt and the names of the tools in a request. */
function read(format: Format, body: unknown): { system: string; tools: string[] } {
  const sent = (system: string[], tools: { name: string }[]) => ({
    system: system.join("\n"),
    tools: tools.map(({ name }) => name),
  })
  switch (format) {
    case "anthropic": {
      const { system, tools } = Bodies.anthropic.parse(body)
      return sent(
        system.map(({ text }) => text),
        tools,
      )
    }
    case "openai": {
      const { input, tools } = Bodies.openai.parse(body)
      return sent(textOf(input), tools)
    }
    case "google": {
      const { systemInstruction, tools } = Bodies.google.parse(body)
      return sent(
        systemInstruction.parts.map(({ text }) => text),
        tools.flatMap((some) => some.functionDeclarations),
      )
    }
    case "compatible": {
      const { messages, tools } = Bodies.compatible.parse(body)
      return sent(
        textOf(messages),
        tools.map((tool) => tool.function),
      )
    }
  }
}

let strict: StrictRuntime
beforeAll(async () => {
  const others: Partial<Record<Format, string[]>> = {}
  for (const [format, modelID] of families) others[format] = [...(others[format] ?? []), modelID]
  strict = await strictRuntime(() => ({ text: "Done." }), { others })
})
afterAll(() => strict[Symbol.asyncDispose]())

test.each(families)(
  "%s sends %s its family's prompt (%s) and tools",
  async (format, modelID, heading, changes, todos) => {
    const before = strict.provider.requests.length
    expect(await strict.ask(format, "Look", modelID)).toMatchObject({ status: "completed", error: null })
    const [asked, ...more] = strict.provider.requests.slice(before)
    expect(more).toEqual([])
    const { system, tools } = read(format, asked?.body)

    expect(headings.filter((one) => system.includes(`# ${one}\n`))).toEqual([heading])
    expect(tools.filter((name) => [...byFile, ...byPatch].includes(name)).sort()).toEqual(changes)
    const named = toolNames.filter((name) => system.includes(`\`${name}\``))
    expect(named.filter((name) => !tools.includes(name))).toEqual([])
    expect(named).toEqual(expect.arrayContaining([...changes, "read", "task"]))
    expect(system.includes("todo list")).toBe(todos)
    expect(tools).toEqual(expect.arrayContaining(["todowrite", "read", "bash", "batch", "webfetch"]))
  },
)
