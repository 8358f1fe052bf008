import { readFile } from "node:fs/promises"
import { text } from "node:stream/consumers"
import type { DocketClient } from "@docket/client"
import type { AgentOverview, DefinedAgent } from "@docket/core"
import { visibleText } from "@docket/core/rule"
import { tableLines } from "../table.ts"
import { UsageError } from "../usage-error.ts"
import { type AgentTools, toolLine, toolLines, toolsOf, withheldLines } from "./tool-lines.ts"

/**
 * Lists all agents of a project as lines under a heading, followed by the tools of each and by the agent files that are
 * not in effect.
 */
export function agentLines({ agents, waiting, problems }: AgentOverview, tools: AgentTools): string[] {
  const rows = agents.map((agent) => [
    visibleText(agent.name),
    agent.disabled ? "off" : agent.hidden ? "hidden" : agent.mode,
    agent.model === null ? "-" : visibleText(`${agent.model.providerID}/${agent.model.modelID}`),
    visibleText(agent.sources.at(-1)?.file ?? "built in"),
  ])
  return [
    ...tableLines([["name", "mode", "model", "file"], ...rows]),
    ...toolLines(tools),
    ...agents.flatMap((agent) => problemsOf(agent).map((problem) => `${visibleText(agent.name)}: ${problem}`)),
    ...waiting.map(
      ({ name, file }) => `${visibleText(name)} waits for your trust (docket trust): ${visibleText(file)}`,
    ),
    ...problems.map(({ file, line, message }) => visibleText(`${file}:${line ?? 1} ${message}`)),
  ]
}

/** Shows one agent with its permissions and its prompt. @throws UsageError when no agent has that name */
export async function showAgent(
  client: Pick<DocketClient, "agent" | "tool">,
  projectID: string,
  name: string,
): Promise<string[]> {
  const overview = await client.agent.overview.query({ projectID })
  const { agents } = overview
  const agent = agents.find((candidate) => candidate.name === name)
  if (agent === undefined) throw new UsageError(`there is no agent ${name}; see docket agents list`)
  const tools = await toolsOf(client, projectID, { agents: [agent] })
  const file = agent.sources.findLast(({ format }) => format === "markdown")?.file
  const written = file === undefined ? null : await client.agent.file.query({ projectID, file })
  return [
    `${visibleText(agent.name)}: ${visibleText(agent.description)}`,
    ...problemsOf(agent),
    ...agent.rules.map(({ permission, pattern, action }) => visibleText(`  ${action} ${permission} ${pattern}`)),
    ...[...tools.values()].flatMap((list) => [...toolLine(list), ...withheldLines(list)]),
    ...agent.sources.map((source) => visibleText(`${source.file}:${source.line}`)),
    ...(written === null ? [] : ["", ...written.text.trimEnd().split("\n").map(visibleText)]),
  ]
}

function problemsOf({ problem, modelProblem, problems }: DefinedAgent): string[] {
  const ofAgent = [problem, modelProblem].filter((words) => words !== null)
  const ofFiles = problems.map(({ file, line, message }) => `${file}:${line ?? 1} ${message}`)
  return [...ofAgent, ...ofFiles].map(visibleText)
}

/** Reads the text of a new agent from a file, or from stdin when `from` is `-`. */
export async function readAgentText(from: string, stdin: NodeJS.ReadableStream): Promise<string> {
  return from === "-" ? text(stdin) : readFile(from, "utf8")
}
