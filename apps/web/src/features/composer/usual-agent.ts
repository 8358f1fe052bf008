import type { Agent } from "@docket/core/schema"
import { primaryAgents } from "./primary-agents.ts"

/** The default agent. If the configured one cannot lead a session, the server rejects the prompt with a message. */
export function usualAgent(configured: string | undefined, agents: Agent[]): string {
  if (configured !== undefined) return configured
  const names = primaryAgents(agents).map(({ name }) => name)
  return names.includes("build") ? "build" : (names[0] ?? "build")
}
