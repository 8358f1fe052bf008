import type { Tool } from "../../acts/tool/tool.ts"
import type { AssistantMessage, MessageError, TokenUsage, ToolPart } from "../../ground/schema/index.ts"
import type { ResolvedModel } from "../../setup/provider/create-providers.ts"
import { type CallsDeps, executeCalls } from "../calls/execute-calls.ts"
import { isOverflow } from "../compaction/overflow.ts"
import { stopError } from "../loop/stop-reason.ts"
import type { TurnContext } from "../loop/turn-context.ts"
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
  const error = finishError(step, turn.signal)
  const time = { ...message.time, completed: deps.clock() }
  void turn.writer.message({ ...message, finish, error, cost, tokens: usage, time })
  const isCut = error?.name === "OutputLengthError"
  if (error !== null && !isCut) return { next: "failed", error }
  const overflow = isOverflow(usage, step.limit, step.unreported + outputUnits(turn, message))
  if (rejected) return { next: "rejected", overflow }
  if (ended) return { next: "stop", overflow }
  const again = await runAnswerWrits(deps, turn, { messageID: message.id, finished: finish !== "length" })
  if (isCut && !again) return { next: "cut", error, overflow }
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

function finishError({ finish, usage, hasCalls }: AnsweredStep, signal: AbortSignal): MessageError | null {
  const base = { statusCode: null, retryable: false }
  if (signal.aborted) return stopError(signal)
  // The model is told of calls that were cut, and makes them again.
  if (finish === "length" && !hasCalls) {
    const after = usage.output > 0 ? ` after ${usage.output.toLocaleString("en-US")} tokens` : ""
    const message = `The answer was cut at the model's output limit${after}. Continue, and it goes on where it was cut.`
    return { ...base, name: "OutputLengthError", message }
  }
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
