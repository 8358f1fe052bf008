import type { DocketClient } from "@docket/client"
import type { AgentOverview, ToolList } from "@docket/core"
import { visibleText } from "@docket/core/rule"

/** The tools of agents, by name. */
export type AgentTools = ReadonlyMap<string, ToolList>

/** The tools of all agents that are on. Empty for callers who may not see the configuration. */
export async function toolsOf(
  client: Pick<DocketClient, "tool">,
  projectID: string,
  { agents }: Pick<AgentOverview, "agents">,
): Promise<AgentTools> {
  const names = agents.filter(({ disabled, problem }) => !disabled && problem === null).map(({ name }) => name)
  const lists = await Promise.all(names.map((agent) => client.tool.list.query({ projectID, agent })))
  return new Map(lists.map((list) => [list.agent, list]))
}

/**
 * For each agent what it may call unasked (all or most calls), and what it asks for; agents with the same tools share the lines. Then what is
 * wrong with files that define tools.
 */
export function toolLines(tools: AgentTools): string[] {
  const byLine = new Map<string, string[]>()
  for (const [name, list] of tools) {
    const key = toolLine(list).join("\n")
    byLine.set(key, [...(byLine.get(key) ?? []), name])
  }
  const problems = [...tools.values()].flatMap((list) => list.problems)
  const said = new Set(problems.map(({ file, message }) => visibleText(`${file}: ${message}`)))
  return [...[...byLine].flatMap(([lines, names]) => [`tools of ${visibleText(names.join(", "))}:`, lines]), ...said]
}

/** What an agent may call unasked, what it asks for, and what it is not offered. */
export function toolLine({ tools }: ToolList): string[] {
  const offered = tools.filter(({ withheld }) => withheld === null)
  const named = (word: string, some: ToolList["tools"]) =>
    some.length === 0 ? [] : [visibleText(`  ${word.padEnd(12)}${some.map(({ name }) => name).join(" ")}`)]
  return [
    ...named(
      "allow",
      offered.filter(({ action, partly }) => action === "allow" && !partly),
    ),
    ...named(
      "allow most",
      offered.filter(({ partly }) => partly),
    ),
    ...named(
      "ask",
      offered.filter(({ action }) => action === "ask"),
    ),
    ...named(
      "not offered",
      tools.filter(({ withheld }) => withheld !== null),
    ),
  ]
}

/** Why tools are not offered, and what the model does not get of the others. */
export function withheldLines({ tools }: ToolList): string[] {
  return tools.flatMap(({ name, withheld, lack }) => {
    if (withheld !== null) return [visibleText(`  ${name} is not offered: ${withheld}`)]
    return lack === null ? [] : [visibleText(`  ${name}: ${lack}`)]
  })
}
