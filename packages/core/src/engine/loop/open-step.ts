import type { AssistantMessage, ToolPart } from "../../ground/schema/index.ts"
import type { Transcript } from "./transcript.ts"

/** A step that an ended process left open, because one of its calls waits. */
export interface OpenStep {
  message: AssistantMessage
  /** The calls that have not ended, in order. */
  calls: ToolPart[]
}

/** The last step, when it is open and has calls to run. Recovery leaves no other step open. */
export function openStep(transcript: Pick<Transcript, "all">): OpenStep | null {
  const { info, parts = [] } = transcript.all().at(-1) ?? {}
  if (info?.role !== "assistant" || info.summary || info.time.completed !== null) return null
  const calls = parts.filter(
    (part): part is ToolPart =>
      part.type === "tool" && (part.state.status === "pending" || part.state.status === "running"),
  )
  return calls.length === 0 ? null : { message: info, calls }
}
