import type { Agent } from "@docket/core/schema"
import { primaryAgents } from "./primary-agents.ts"

/** Who answers until another is chosen. One that cannot lead a session is refused by the service, in words. */
export function usualAgent(configured: string | undefined, agents: Agent[]): string {
  if (configured !== undefined) return configured
  const names = primaryAgents(agents).map(({ name }) => name)
  return names.includes("build") ? "build" : (names[0] ?? "build")
}
