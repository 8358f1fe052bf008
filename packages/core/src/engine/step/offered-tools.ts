import type { Tool } from "../../acts/tool/tool.ts"
import { hiddenTools } from "../../ground/rule/index.ts"
import type { PermissionRuleset, ToolSwitches } from "../../ground/schema/index.ts"
import type { LoopModels } from "../loop/choose-model.ts"
import { switchesOf } from "../loop/switches-of.ts"
import { type ToolSource, toolsOf } from "../loop/tool-source.ts"
import type { TurnContext } from "../loop/turn-context.ts"
import { modelFamily } from "../prompt/system/prompt-context.ts"
import { deferTools } from "./defer-tools.ts"
import { isSwitchedOff } from "./switched-off.ts"

/** What decides which tools a model is offered. */
export interface OfferFacts {
  modelID: string
  rules: PermissionRuleset
  ceilings: readonly PermissionRuleset[]
  /** What the prompt switches off, and the prompts above that caused its work. */
  switches: readonly ToolSwitches[]
}

/** A tool that is not offered, and why, in words for people. */
export interface WithheldTool {
  tool: Tool
  why: string
}

/** Says why a tool is not offered; null when the filter has nothing against it. `left` is what earlier filters left. */
type ToolFilter = (tool: Tool, facts: OfferFacts, left: readonly Tool[]) => string | null

/** Tools that change text file by file, and the one that a model uses in their place. */
const fileByFile: ReadonlySet<string> = new Set(["edit", "write", "multiedit"])
const byPatch = "apply_patch"

/** The filters in the order in which they are asked; the first reason counts. */
const filters: readonly ToolFilter[] = [
  ({ unavailable }) => unavailable ?? null,
  ({ id, permission }, { rules, ceilings }) =>
    hiddenTools(rules, [{ id, permission }], ceilings).has(id) ? `the rules deny "${permission}"` : null,
  (tool, { switches }) => (switches.some((each) => isSwitchedOff(tool, each)) ? "the prompt switches it off" : null),
  ({ id }, { modelID }, left) => {
    const patches = writesPatches(modelID) && left.some((tool) => tool.id === byPatch)
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
  let offered = [...tools]
  const withheld: WithheldTool[] = []
  for (const filter of filters) {
    const left = offered
    offered = left.filter((tool) => {
      const why = filter(tool, facts, left)
      if (why !== null) withheld.push({ tool, why })
      return why === null
    })
  }
  return { offered, withheld }
}

/** The tools that a turn offers its model: all that it may call, with those that it has to search for. */
export async function offeredTools(
  deps: { toolSources: readonly ToolSource[]; models: Pick<LoopModels, "resolve"> },
  turn: TurnContext,
): Promise<Tool[]> {
  const { model, rules, ceilings, config } = turn
  const facts = { modelID: model.modelID, rules, ceilings, switches: switchesOf(turn) }
  const { offered } = chooseTools(await toolsOf(deps.toolSources, turn), facts)
  if (offered.every(({ origin }) => origin === undefined)) return offered
  // A model that cannot be resolved is told of by the step.
  const resolved = await deps.models.resolve(model, config).catch(() => null)
  return deferTools(offered, { mode: config.tool_search, context: resolved?.info.limit.context ?? 0 })
}
