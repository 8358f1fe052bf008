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
  /**
   * What to tell a model that called a tool which the turn does not have: it is on its way, and is there from the next step on.
   * Waits until that is known. Null where this source has no such tool.
   */
  arrivalOf?(turn: TurnContext, tool: string): Promise<string | null>
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

/** What the first source says that has a tool on its way; null for none. */
export async function arrivalOf(
  sources: readonly Pick<ToolSource, "arrivalOf">[],
  turn: TurnContext,
  tool: string,
): Promise<string | null> {
  for (const source of sources) {
    const said = (await source.arrivalOf?.(turn, tool)) ?? null
    if (said !== null) return said
  }
  return null
}
