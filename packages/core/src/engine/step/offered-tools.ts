import type { Tool } from "../../acts/tool/tool.ts"
import { hiddenTools } from "../../ground/rule/index.ts"
import type { PermissionRuleset } from "../../ground/schema/index.ts"
import { type ToolSource, toolsOf } from "../loop/tool-source.ts"
import type { TurnContext } from "../loop/turn-context.ts"
import { modelFamily } from "../prompt/system/prompt-context.ts"

/** What decides which tools a model is offered. */
export interface OfferFacts {
  modelID: string
  rules: PermissionRuleset
  ceilings: readonly PermissionRuleset[]
}

/** A tool that is not offered, and why, in words for people. */
export interface WithheldTool {
  tool: Tool
  why: string
}

/** Says why a tool is not offered; null when the filter has nothing against it. */
type ToolFilter = (tool: Tool, facts: OfferFacts, all: readonly Tool[]) => string | null

/** Tools that change text file by file, and the one that a model uses in their place. */
const fileByFile: ReadonlySet<string> = new Set(["edit", "write", "multiedit"])
const byPatch = "apply_patch"

/** The filters in the order in which they are asked; the first reason counts. */
const filters: readonly ToolFilter[] = [
  ({ unavailable }) => unavailable ?? null,
  ({ id, permission }, { rules, ceilings }) =>
    hiddenTools(rules, [{ id, permission }], ceilings).has(id) ? `the rules deny "${permission}"` : null,
  ({ id }, { modelID }, all) => {
    const patches = writesPatches(modelID) && all.some((tool) => tool.id === byPatch)
    if (patches) return fileByFile.has(id) ? "the model changes files by apply_patch" : null
    return id === byPatch ? "only models of the GPT family change files by patches" : null
  },
]

/** Models that were trained to change files by patches: GPT-5 and later, Codex. */
function writesPatches(modelID: string): boolean {
  return modelFamily(modelID) === "gpt"
}

/** Divides tools into those that a model is offered and those that are withheld, each with the reason. */
export function chooseTools(tools: readonly Tool[], facts: OfferFacts): { offered: Tool[]; withheld: WithheldTool[] } {
  const offered: Tool[] = []
  const withheld: WithheldTool[] = []
  for (const tool of tools) {
    let why: string | null = null
    for (const filter of filters) why ??= filter(tool, facts, tools)
    if (why === null) offered.push(tool)
    else withheld.push({ tool, why })
  }
  return { offered, withheld }
}

/** The tools that a turn offers its model. */
export async function offeredTools(deps: { toolSources: readonly ToolSource[] }, turn: TurnContext): Promise<Tool[]> {
  const { model, rules, ceilings } = turn
  return chooseTools(await toolsOf(deps.toolSources, turn), { modelID: model.modelID, rules, ceilings }).offered
}
