import type { Tool } from "../../acts/tool/tool.ts"
import { noTokens } from "../../ground/message/token-usage.ts"
import type { OpenStep } from "../loop/open-step.ts"
import type { TurnContext } from "../loop/turn-context.ts"
import { endStep } from "./end-step.ts"
import type { StepDeps } from "./run-step.ts"
import type { StepOutcome } from "./step-outcome.ts"

/** Goes on with a step that waited for a person when the process ended: makes the calls that have not ended. */
export async function resumeStep(
  deps: StepDeps,
  turn: TurnContext,
  { message, calls }: OpenStep,
  offered: Tool[],
): Promise<StepOutcome> {
  const { info } = await deps.models.resolve(turn.model, turn.config)
  const parts = turn.transcript.get(message.id)?.parts ?? []
  const finish = parts.findLast((part) => part.type === "step-finish")
  return endStep(deps, turn, {
    message,
    finish: finish?.reason ?? "tool-calls",
    usage: finish?.tokens ?? noTokens,
    cost: finish?.cost ?? 0,
    calls,
    hasCalls: true,
    offered,
    limit: info.limit,
    unreported: 0,
  })
}
