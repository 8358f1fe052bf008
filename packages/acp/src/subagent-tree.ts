import type { ClientContext, InitializeResponse } from "@agentclientprotocol/sdk/unstable"
import { methods } from "@agentclientprotocol/sdk/unstable"
import { z } from "zod"

/** OpenCode's extension for subagents: it tells of them once somebody wants to hear of them, and of what each says. */
export interface SubagentTree {
  subscribe(rootSessionId: string): Promise<void>
  /** From then on it tells what the subagent says, beginning with what it has said. */
  load(sessionId: string, directory: string): Promise<void>
}

const Offer = z.looseObject({
  "opencode.dev/subagents": z.looseObject({ version: z.literal(1), subscribe: z.literal(true) }),
})

/** Null where the agent does not offer it. */
export function subagentTree(agent: ClientContext, { _meta }: InitializeResponse): SubagentTree | null {
  if (!Offer.safeParse(_meta).success) return null
  return {
    async subscribe(rootSessionId) {
      await agent.request("_opencode/subagents/subscribe", { rootSessionId })
    },
    async load(sessionId, cwd) {
      await agent.request(methods.agent.session.load, { sessionId, cwd, mcpServers: [] })
    },
  }
}
