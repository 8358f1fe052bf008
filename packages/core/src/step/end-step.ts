import { type CallsDeps, executeCalls } from "../calls/execute-calls.ts"
import { isOverflow } from "../compaction/overflow.ts"
import { stopError } from "../loop/stop-reason.ts"
import type { TurnContext } from "../loop/turn-context.ts"
import type { ResolvedModel } from "../provider/create-providers.ts"
import type { AssistantMessage, MessageError, TokenUsage, ToolPart } from "../schema/index.ts"
import type { Tool } from "../tool/tool.ts"
import { runAnswerWrits } from "./run-answer-writs.ts"
import type { StepOutcome } from "./step-outcome.ts"
import type { WritsDeps } from "./writs-deps.ts"

/** An answer of the model that is stored, with its calls that are to be made. */
export interface AnsweredStep {
  message: AssistantMessage
  finish: string
  usage: TokenUsage
  cost: number
  /** Calls to make, in their order. */
  calls: ToolPart[]
  /** It called tools at all. */
  hasCalls: boolean
  offered: Tool[]
  limit: ResolvedModel["info"]["limit"]
  /** Size of what was sent where the provider does not say what it read (UTF-16 units). */
  unreported: number
}

const noCalls = { rejected: false, ended: false }

/** Makes the calls of an answer and ends its message. */
export async function endStep(
  deps: CallsDeps & WritsDeps,
  turn: TurnContext,
  step: AnsweredStep,
): Promise<StepOutcome> {
  const { message, finish, usage, cost, calls } = step
  const { rejected, ended } = calls.length > 0 ? await executeCalls(deps, turn, calls, step.offered) : noCalls
  const error = finishError(finish, turn.signal)
  const time = { ...message.time, completed: deps.clock() }
  void turn.writer.message({ ...message, finish, error, cost, tokens: usage, time })
  if (error !== null) return { next: "failed", error }
  const overflow = isOverflow(usage, step.limit, step.unreported + outputUnits(turn, message))
  if (rejected) return { next: "rejected", overflow }
  if (ended) return { next: "stop", overflow }
  const again = await runAnswerWrits(deps, turn, { messageID: message.id, finished: finish !== "length" })
  return { next: again || step.hasCalls ? "continue" : "stop", overflow }
}

/** The size of what the tools of a step brought (UTF-16 units). */
function outputUnits(turn: TurnContext, message: AssistantMessage): number {
  const parts = turn.transcript.get(message.id)?.parts ?? []
  return parts.reduce((sum, part) => {
    if (part.type !== "tool") return sum
    if (part.state.status === "completed") return sum + part.state.output.length
    return part.state.status === "error" ? sum + part.state.error.length : sum
  }, 0)
}

function finishError(finish: string, signal: AbortSignal): MessageError | null {
  const base = { statusCode: null, retryable: false }
  if (signal.aborted) return stopError(signal)
  if (finish === "content-filter") {
    return {
      ...base,
      name: "ContentFilterError",
      message: "The provider's content filter stopped the answer. Rephrase the request.",
    }
  }
  if (finish === "error") {
    return { ...base, name: "APIError", message: "The provider ended the answer with an error. Try again." }
  }
  return null
}
