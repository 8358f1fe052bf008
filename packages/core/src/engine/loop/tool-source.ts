import type { Tool } from "../../acts/tool/tool.ts"
import type { TurnContext } from "./turn-context.ts"

/** Provides tools to turns: Docket's own, those of delegation, those of extensions. */
export interface ToolSource {
  /** Names the source in messages. */
  name: string
  /** Called before the first step of a turn. @throws Error when the turn cannot work without these tools */
  tools(turn: TurnContext): Promise<readonly Tool[]> | readonly Tool[]
  /** Whether it has other tools for a turn now. Then it is asked for them again, before the turn's next step. */
  hasOthers?(turn: TurnContext): boolean
}

/** The tools of all sources in order. The first tool of a name counts, unless a later one is there to replace it. */
export async function toolsOf(sources: readonly ToolSource[], turn: TurnContext): Promise<Tool[]> {
  const found = await Promise.all(sources.map(async (source) => source.tools(turn)))
  const byName = new Map<string, Tool>()
  for (const tool of found.flat()) {
    const first = byName.get(tool.id)
    if (first === undefined || (tool.replaces === true && first.replaces !== true)) byName.set(tool.id, tool)
  }
  return [...byName.values()]
}
