import type { Agent } from "@docket/core/schema"
import type * as Sdk from "@opencode-ai/sdk/v2/types"

/** An agent as OpenCode's clients read it. `builtIn` and `tools` are for the older SDK. */
export function agentShape(agent: Agent) {
  const { name, description, mode, native, hidden, permission, model, variant, prompt, options } = agent
  const { temperature, topP, steps, color } = agent
  return {
    ...{ name, description, mode, native, hidden, options, builtIn: native, tools: {} },
    permission: permission.map(({ permission, pattern, action }) => ({ permission, pattern, action })),
    ...(model && { model }),
    ...(variant !== null && { variant }),
    ...(prompt !== null && { prompt }),
    ...(temperature !== null && { temperature }),
    ...(topP !== null && { topP }),
    ...(steps !== null && { steps }),
    ...(color !== null && { color }),
  } satisfies Sdk.Agent
}
