import type { ConfigProblem, ProjectTrust } from "@docket/core"
import { waitsForTrust } from "../../../../features/project-trust/trust-messages.ts"

type Entry = ProjectTrust["entries"][number]

const nouns: Record<Exclude<Entry["kind"], "permission-restricts">, [one: string, more: string]> = {
  "permission-allows": ["permission", "permissions"],
  provider: ["setting of providers", "settings of providers"],
  model: ["model", "models"],
  agent: ["setting of agents", "settings of agents"],
  instructions: ["instruction", "instructions"],
  "instruction-file": ["file of instructions", "files of instructions"],
  command: ["command", "commands"],
  skill: ["skill", "skills"],
  tool: ["tool", "tools"],
  "mcp-server": ["MCP server", "MCP servers"],
  plugin: ["plugin", "plugins"],
  hook: ["hook", "hooks"],
  other: ["other setting", "other settings"],
}

/** The entries of a project that wait for the user's trust. */
export function waitingEntries(trust: Pick<ProjectTrust, "state" | "entries">): Entry[] {
  return waitsForTrust(trust) ? trust.entries.filter(({ counts }) => !counts) : []
}

/** The number of waiting entries by kind: "3 permissions, 1 model". Empty without any. */
export function waitingMessage(trust: Pick<ProjectTrust, "state" | "entries">): string {
  const waiting = waitingEntries(trust)
  return Object.entries(nouns)
    .map(([kind, [one, more]]) => {
      const count = waiting.filter((entry) => entry.kind === kind).length
      return count === 0 ? "" : `${count} ${count === 1 ? one : more}`
    })
    .filter((words) => words !== "")
    .join(", ")
}

/** The problems of a report that trust would not solve. */
export function problemsBesidesTrust({ problems }: { problems: ConfigProblem[] }): ConfigProblem[] {
  return problems.filter(({ waits }) => !waits)
}
