import type { PermissionConfig } from "../../ground/schema/index.ts"

/**
 * Rights that are held back because the text that sets them cannot be read. While one holds, nothing that it
 * covers goes on without a question, whatever other files say.
 */
export interface Closure {
  /** The agent that it covers; null is every agent. */
  agent: string | null
  /** The denials that can still be read. */
  deny: PermissionConfig
  /** Why no session may run by the agent at all; null when it may, with questions. */
  unusable: string | null
}

/** Everything that `agent` does is asked; null is every agent. */
export function askingFor(agent: string | null, deny: PermissionConfig = {}): Closure {
  return { agent, deny, unusable: null }
}
