import type { Tool } from "../../acts/tool/tool.ts"
import { toolSchemas } from "../../acts/tool/tool-schemas.ts"
import { createToolSearchTool } from "../../acts/tool/tool-search.ts"
import type { Config } from "../../setup/config/schema.ts"
import { unitsPerToken } from "../compaction/overflow.ts"
import type { Transcript } from "../loop/transcript.ts"

/** More tools of others than that are not all described: models choose worse among many. */
const mostDescribed = 30
/** Their largest share of the context. */
const largestShare = 0.1
/** Tools that want to be described at once, and are: of one source, and of all. */
const mostEager = { source: 10, all: 30 } as const
/** Tokens of context of a model that says nothing of it. */
const usualContext = 128_000

/**
 * Puts tools of others behind `tool_search` when they are many, or take much of the model's context.
 * @param context tokens of the model's context; 0 where unknown
 */
export function deferTools(
  offered: readonly Tool[],
  { mode = "auto", context }: { mode: Config["tool_search"]; context: number },
): Tool[] {
  const others = offered.filter(({ origin, hidden }) => origin !== undefined && hidden !== true)
  const most = (context || usualContext) * largestShare
  const eager = eagerTools(others, most)
  const waiting = others.filter((tool) => !eager.has(tool))
  const isMany = others.length > mostDescribed || tokensOf(others) > most
  if (mode === "never" || waiting.length === 0 || (mode === "auto" && !isMany)) return [...offered]
  const waits = new Set(waiting)
  const tools = offered.map((tool) => (waits.has(tool) ? { ...tool, isDeferred: true } : tool))
  return [...tools, createToolSearchTool(waiting)]
}

/** Those that do not wait, the first ones where they are too many: any source can say it of all of its tools. */
function eagerTools(others: readonly Tool[], mostTokens: number): Set<Tool> {
  const eager = new Set<Tool>()
  const bySource = new Map<string, number>()
  let tokens = 0
  for (const tool of others) {
    if (tool.origin?.isEager !== true || eager.size === mostEager.all) continue
    const source = `${tool.origin.kind}:${tool.origin.name}`
    const count = bySource.get(source) ?? 0
    const size = tokensOf([tool])
    if (count === mostEager.source || tokens + size > mostTokens) continue
    eager.add(tool)
    bySource.set(source, count + 1)
    tokens += size
  }
  return eager
}

function tokensOf(tools: readonly Tool[]): number {
  return JSON.stringify(toolSchemas(tools)).length / unitsPerToken
}

/**
 * The tools to describe in the next request: those that are not deferred, then those that were found since the last
 * summary, in the order in which they were found, so that what the provider has cached before them still counts.
 */
export function describedTools(offered: readonly Tool[], transcript: Pick<Transcript, "all">): Tool[] {
  if (!offered.some(({ isDeferred }) => isDeferred)) return [...offered]
  const deferred = new Map(offered.flatMap((tool) => (tool.isDeferred ? [[tool.id, tool] as const] : [])))
  const found = new Set<string>()
  for (const { parts } of transcript.all()) {
    for (const part of parts) {
      if (part.type !== "tool" || part.state.status !== "completed") continue
      if (deferred.has(part.tool)) found.add(part.tool)
      if (part.tool !== "tool_search") continue
      const { found: names } = part.state.metadata
      if (Array.isArray(names)) for (const name of names) found.add(String(name))
    }
  }
  return [...offered.filter(({ isDeferred }) => !isDeferred), ...[...found].flatMap((name) => deferred.get(name) ?? [])]
}
