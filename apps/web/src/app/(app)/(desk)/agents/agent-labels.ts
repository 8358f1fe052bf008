import type { AgentSource, DefinedAgent } from "@docket/core"
import { visibleText } from "@docket/core/rule"
import type { AgentRights } from "@docket/core/schema"
import { sourceLabel } from "../settings/rule-labels.ts"

/** Who may prompt an agent. */
export const modeChoices = [
  { value: "all", label: "You and other agents" },
  { value: "primary", label: "You" },
  { value: "subagent", label: "Other agents" },
] as const

const modeLabels: Record<DefinedAgent["mode"], string> = {
  primary: "You talk to it",
  subagent: "Other agents hand it work",
  all: "You talk to it, and other agents hand it work",
}

/** An agent's permissions as the form offers them. `written` is offered only if the file has its own rules. */
export const rightsChoices: readonly { value: AgentRights; label: string }[] = [
  { value: "rules", label: "What your rules allow everyone" },
  { value: "asks", label: "Asks before it edits or runs commands" },
  { value: "reads", label: "Reads and searches only" },
  { value: "written", label: "As its file says" },
]

/** The line below an agent's name: who prompts it, its model, and its files. */
export function agentFacts(agent: DefinedAgent, directory: string | null): string {
  const { mode, model, sources, native, steps } = agent
  const files = sources
    .map((source) => `${sourceLabel(source.file, directory)}${source.format === "plugin" ? " (plugin)" : ""}`)
    .join(", changed by ")
  const from = native ? (files === "" ? "built in" : `built in, changed by ${files}`) : files
  return [
    modeLabels[mode],
    ...(model === null ? [] : [visibleText(`${model.providerID}/${model.modelID}`)]),
    ...(steps === null ? [] : [steps === 1 ? "1 step at most" : `${steps} steps at most`]),
    from,
  ].join(" · ")
}

/** The file to edit for an agent here: the Markdown file with the highest precedence. */
export function editableSource({ sources }: DefinedAgent): AgentSource | null {
  return sources.findLast(({ format }) => format === "markdown") ?? null
}

/** Other files with settings of the agent, which must be edited in place. */
export function elsewhere({ sources }: DefinedAgent): AgentSource[] {
  return sources.filter(({ format }) => format === "json")
}

const namedColors = new Set("red orange yellow green blue purple pink cyan".split(" "))

/** A colour from an agent's file; null if it is not valid. */
export function shownColor(color: string | null): string | null {
  if (color === null) return null
  return /^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i.test(color) || namedColors.has(color) ? color : null
}
