import MiniSearch from "minisearch"
import { z } from "zod"
import { defineTool, type Tool } from "./tool.ts"
import { inputSchema } from "./tool-schemas.ts"

/** Tools that one search finds at most. */
const mostFound = 5
/** Characters of a description that a result shows. */
const shownLength = 300
/** Characters that a source says of itself, and those of all sources together. */
const aboutLength = 400
const aboutLengths = 8_000

const parameters = z.strictObject({
  query: z
    .string()
    .trim()
    .min(1)
    .max(500)
    .describe('What the tool does, in a few words; or "select:name,name" for tools whose names you know'),
  limit: z.number().int().min(1).max(mostFound).optional().describe(`Most tools to find (default ${mostFound})`),
})

/** Finds tools that are not described to the model. Those that it found are described from the next step on. */
export function createToolSearchTool(deferred: readonly Tool[]): Tool<typeof parameters> {
  // The index is made by the first search of a turn: most turns make none.
  let index: MiniSearch | null = null
  const names = new Set(deferred.map(({ id }) => id))
  return defineTool({
    id: "tool_search",
    description: describe(deferred),
    parameters,
    permission: "tool_search",
    parallel: true,
    async execute({ query, limit = mostFound }) {
      index ??= indexOf(deferred)
      const found = query.startsWith("select:") ? selected(query, names, limit) : search(index, query, limit)
      const tools = found.flatMap((name) => deferred.find(({ id }) => id === name) ?? [])
      const output =
        tools.length === 0
          ? `No tool was found for "${query}". Try other words: what it does, the service it is for, or an argument.`
          : ["You can call these tools from your next step on:", ...tools.map(line)].join("\n")
      return { title: query, output, metadata: { query, found, truncated: false } }
    },
  })
}

function describe(deferred: readonly Tool[]): string {
  const sources = [...Map.groupBy(deferred, ({ origin }) => origin?.name ?? "others")]
  const each = Math.min(aboutLength, Math.floor(aboutLengths / sources.length))
  const lines = sources.map(([name, tools]) => {
    const about = (tools[0]?.origin?.about ?? "").replaceAll(/\s+/g, " ").trim()
    const said = about === "" ? "" : `: "${cut(about, each)}"`
    return `- ${name} (${tools.length} ${tools.length === 1 ? "tool" : "tools"})${said}`
  })
  return `Finds tools that are not described to you yet; those that it finds are described to you from the next step on.

${deferred.length} more tools come from these sources. What stands in quotes is what a source says of itself:

${lines.join("\n")}`
}

function indexOf(tools: readonly Tool[]): MiniSearch {
  const index = new MiniSearch({
    fields: ["name", "source", "description", "args"],
    tokenize: (text) => text.split(/[^\p{L}\p{N}]+|(?<=\p{Ll})(?=\p{Lu})/u).filter((word) => word !== ""),
    searchOptions: { boost: { name: 3, source: 2, args: 0.5 }, prefix: (term) => term.length > 2, fuzzy: 0.15 },
  })
  index.addAll(
    tools.map((tool) => ({
      id: tool.id,
      name: tool.origin?.tool ?? tool.id,
      source: tool.origin?.name ?? "",
      description: tool.description,
      args: Object.keys(argumentsOf(tool)).join(" "),
    })),
  )
  return index
}

function search(index: MiniSearch, query: string, limit: number): string[] {
  return index
    .search(query)
    .slice(0, limit)
    .map(({ id }) => String(id))
}

function selected(query: string, names: ReadonlySet<string>, limit: number): string[] {
  const wanted = query
    .slice("select:".length)
    .split(",")
    .map((name) => name.trim())
  return [...new Set(wanted)].filter((name) => names.has(name)).slice(0, limit)
}

function argumentsOf(tool: Tool): Record<string, unknown> {
  const { properties } = inputSchema(tool)
  return typeof properties === "object" && properties !== null ? { ...properties } : {}
}

function line(tool: Tool): string {
  const names = Object.keys(argumentsOf(tool)).join(", ")
  return `- ${tool.id}(${names}): ${cut(tool.description.replaceAll(/\s+/g, " ").trim(), shownLength)}`
}

function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length - 1)}…` : text
}
