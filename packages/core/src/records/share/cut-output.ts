import type { ToolPart } from "../../ground/schema/index.ts"

/** From this length on, what a card shows of an output is its end, which may begin within a word (UTF-16 units). */
const cutLength = 29_900

/** The call with an ellipsis before an output that begins where it was cut: only so is it scanned as what it is. */
export function withCutMark(part: ToolPart): ToolPart {
  const { state } = part
  if (state.status === "pending") return part
  const { output } = state.metadata
  if (typeof output !== "string" || output.length < cutLength || output.startsWith("…")) return part
  return { ...part, state: { ...state, metadata: { ...state.metadata, output: `…${output}` } } }
}
