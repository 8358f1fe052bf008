import type { Tool } from "../../acts/tool/tool.ts"
import type { TurnContext } from "./turn-context.ts"

/** Gives turns tools: Docket's own, those of delegation, and whatever else brings some. */
export interface ToolSource {
  /** For messages: what brings them. */
  name: string
  /** Asked once for each turn, before its first step. @throws Error when the turn cannot do without them */
  tools(turn: TurnContext): Promise<readonly Tool[]> | readonly Tool[]
}

/** The tools of all sources, in their order. Of two with one name the first counts: a later source replaces none. */
export async function toolsOf(sources: readonly ToolSource[], turn: TurnContext): Promise<Tool[]> {
  const found = await Promise.all(sources.map(async (source) => source.tools(turn)))
  const byName = new Map<string, Tool>()
  for (const tool of found.flat()) if (!byName.has(tool.id)) byName.set(tool.id, tool)
  return [...byName.values()]
}
