import type { ProgramEnd } from "@docket/core/agent-programs"

const reasons: Readonly<Record<string, ProgramEnd["why"]>> = {
  end_turn: "done",
  cancelled: "stopped",
  refusal: "refused",
  max_tokens: "out of tokens",
  max_turn_requests: "out of steps",
}

/** How a subagent ended by its own account. */
export function endOf(stopReason: string, failure: string | undefined): ProgramEnd | Error {
  const why = reasons[stopReason]
  if (why !== undefined) return { why, tokens: null }
  return new Error(failure ?? "The subagent failed, and its agent does not say why.")
}
