import { describe, expect, it } from "vitest"
import type { Tool } from "../../acts/tool/tool.ts"
import { extensionOf } from "../../test/extension-of.ts"
import { answer, lastUserText, type Script, scriptedRuntime, toolResults } from "../../test/scripted-runtime.ts"

/** A server's tools: `name_1`, `name_2`, … */
function serverTools(name: string, count: number, fields: Partial<NonNullable<Tool["origin"]>> = {}): Tool[] {
  const word = ["invoice", "branch", "weather", "contact", "ticket"]
  return Array.from({ length: count }, (_, at) => ({
    id: `${name}_tool_${at + 1}`,
    description: `${word[at % 5]} number ${at + 1} of ${name}. ${"It says much about how it is used. ".repeat(8)}`,
    parameters: {
      jsonSchema: {
        type: "object",
        properties: { [`${word[at % 5]}_id`]: { type: "string", description: "Which one" }, dry: { type: "boolean" } },
      },
      parse: (args: unknown) => ({ args }),
    },
    permission: `${name}_tool_${at + 1}`,
    parallel: true,
    origin: {
      kind: "mcp",
      name,
      tool: `tool_${at + 1}`,
      about: `${name} keeps what a company needs. `.repeat(40),
      ...fields,
    },
    execute: async () => ({ title: "done", output: `${name} ${at + 1} ran`, metadata: {} }),
  }))
}

/** Runs a prompt and returns the names of the tools that each request described, and its size. */
async function run(tools: Tool[], script: Script, config: object = {}) {
  const described: string[][] = []
  const sizes: number[] = []
  await using host = await scriptedRuntime(
    (call) => {
      described.push((call.tools ?? []).map(({ name }) => name))
      const system = call.prompt.filter(({ role }) => role === "system")
      sizes.push(JSON.stringify([call.tools ?? [], system]).length)
      return script(call)
    },
    {
      context: 200_000,
      config: { permission: "allow", ...config },
      extensions: [extensionOf({ tools: () => tools })],
    },
  )
  await host.prompt("work")
  const parts = (await host.messages()).items.flatMap((message) => message.parts)
  const calls = parts.flatMap((part) => (part.type === "tool" ? [part] : []))
  return { described, sizes, calls }
}

const ends: Script = () => answer("Done.")

describe("tools of servers", () => {
  it("are described while they are few", async () => {
    const { described } = await run(serverTools("crm", 30), ends)
    expect(described[0]).toContain("crm_tool_30")
    expect(described[0]).not.toContain("tool_search")
  })

  it("wait for a search when they are many, and are then described", async () => {
    const { described, calls } = await run(serverTools("crm", 31), (call) => {
      const results = toolResults(call)
      if (results.length === 0) return answer("", { tool: "tool_search", input: { query: "weather" } })
      return results.length === 1 ? answer("", { tool: "crm_tool_3", input: { weather_id: "1" } }) : answer("Done.")
    })
    expect(described[0]).toContain("tool_search")
    expect(described[0]?.filter((name) => name.startsWith("crm_"))).toEqual([])
    const found = (calls[0]?.state.status === "completed" && calls[0].state.metadata.found) as string[]
    expect(found).toHaveLength(5)
    expect(described[1]?.slice(-5)).toEqual(found)
    expect(described[1]?.slice(0, -5)).toEqual(described[0])
    expect(calls[1]?.state).toMatchObject({ status: "completed", output: "crm 3 ran" })
  })

  it("are found by their exact names, unknown ones left out", async () => {
    const query = "select:crm_tool_40, crm_tool_2,crm_tool_40,bash,other"
    const { calls } = await run(serverTools("crm", 40), (call) =>
      toolResults(call).length === 0 ? answer("", { tool: "tool_search", input: { query } }) : answer("Done."),
    )
    expect(calls[0]?.state).toMatchObject({ metadata: { found: ["crm_tool_40", "crm_tool_2"] } })
  })

  it("stay described in the next turn, and eager ones always are", async () => {
    const tools = [...serverTools("crm", 40), ...serverTools("now", 2, { isEager: true })]
    const described: string[][] = []
    await using host = await scriptedRuntime(
      (call) => {
        described.push((call.tools ?? []).map(({ name }) => name).filter((name) => /crm|now/.test(name)))
        if (lastUserText(call) === "two" || toolResults(call).length > 0) return answer("Done.")
        return answer("", { tool: "tool_search", input: { query: "select:crm_tool_7" } })
      },
      { config: { permission: "allow" }, extensions: [extensionOf({ tools: () => tools })] },
    )
    await host.prompt("one")
    await host.prompt("two")
    expect(described).toEqual([
      ["now_tool_1", "now_tool_2"],
      ["now_tool_1", "now_tool_2", "crm_tool_7"],
      ["now_tool_1", "now_tool_2", "crm_tool_7"],
    ])
  })

  it("that want to be described at once are limited in number", async () => {
    const sources = ["a", "b", "c", "d"].map((name) => serverTools(name, 12, { isEager: true }))
    const { described } = await run(sources.flat(), ends)
    const count = (name: string) => described[0]?.filter((tool) => tool.startsWith(`${name}_tool_`)).length
    expect(["a", "b", "c", "d"].map(count)).toEqual([10, 10, 10, 0])
    expect(described[0]).toContain("tool_search")
  })

  it("that are always described take a tenth of the context", async () => {
    const large = serverTools("big", 3, { isEager: true }).map((tool) => ({ ...tool, description: "x".repeat(36_000) }))
    const { described } = await run(large, ends)
    expect(described[0]?.filter((tool) => tool.startsWith("big_"))).toEqual(["big_tool_1", "big_tool_2"])
  })

  it("can be called by a model that knows their names", async () => {
    const { calls } = await run(serverTools("crm", 40), (call) =>
      toolResults(call).length === 0 ? answer("", { tool: "crm_tool_5", input: {} }) : answer("Done."),
    )
    expect(calls[0]?.state).toMatchObject({ status: "completed", output: "crm 5 ran" })
  })

  it("that rules deny are not found", async () => {
    const { described, calls } = await run(
      serverTools("crm", 40),
      (call) =>
        toolResults(call).length === 0
          ? answer("", { tool: "tool_search", input: { query: "select:crm_tool_1,crm_tool_2" } })
          : answer("Done."),
      { permission: { "*": "allow", crm_tool_1: "deny" } },
    )
    expect(calls[0]?.state).toMatchObject({ metadata: { found: ["crm_tool_2"] } })
    expect(described[1]).not.toContain("crm_tool_1")
  })

  it("wait or do not wait as the configuration says", async () => {
    const never = await run(serverTools("crm", 60), ends, { tool_search: "never" })
    expect(never.described[0]).toContain("crm_tool_60")
    const always = await run(serverTools("crm", 2), ends, { tool_search: "always" })
    expect(always.described[0]).not.toContain("crm_tool_2")
  })

  it("cost at most 3,000 tokens when they are 500 of 20 servers", async () => {
    const none = await run([], ends)
    const tools = Array.from({ length: 20 }, (_, at) => serverTools(`server_${at}`, 25)).flat()
    const many = await run(tools, ends)
    const cost = ((many.sizes[0] ?? 0) - (none.sizes[0] ?? 0)) / 4
    expect(cost).toBeGreaterThan(0)
    expect(cost).toBeLessThanOrEqual(3_000)
    const all = await run(tools, ends, { tool_search: "never" })
    expect(((all.sizes[0] ?? 0) - (none.sizes[0] ?? 0)) / 4).toBeGreaterThan(30_000)
  })
})
