import type { ToolPart } from "@docket/core/schema"
import { readToolCall } from "@docket/core/tool-metadata"

/** What a terminal shows so far. */
export interface TerminalState {
  output: string
  isOver: boolean
}

interface TerminalStep {
  /** `_meta` of the update of the call. */
  meta: Record<string, unknown>
  state: TerminalState
}

/**
 * How editors such as Zed draw the output of a command that the agent itself has run: the call names a terminal that
 * the editor makes up, and `_meta` of its updates says what was put out and how it ended. A client says by
 * `_meta.terminal_output` among its capabilities that it does. Null when there is nothing new to say.
 */
export function terminalStep(part: ToolPart, last: TerminalState | null, cwd: string): TerminalStep | null {
  const call = readToolCall(part)
  if (call.tool !== "bash" || part.state.status === "pending" || last?.isOver) return null
  const { output = "", exit = null, signal = null } = call.metadata ?? {}
  const shown = part.state.status === "error" && output === "" ? part.state.error : output
  const isOver = part.state.status !== "running"
  const terminal_id = part.id
  const data = newOutput(last?.output ?? "", shown)
  const meta = {
    ...(last === null && { terminal_info: { terminal_id, cwd } }),
    ...(data !== "" && { terminal_output: { terminal_id, data } }),
    ...(isOver && { terminal_exit: { terminal_id, exit_code: exit, signal } }),
  }
  return Object.keys(meta).length === 0 ? null : { meta, state: { output: shown, isOver } }
}

/** Characters by which the end of the last output is found in the next one. */
const overlap = 200

/** What follows the last output. Of a long output a call keeps the end, so the beginning of the last may be gone. */
export function newOutput(last: string, next: string): string {
  if (next.startsWith(last)) return next.slice(last.length)
  const end = last.slice(-overlap)
  const at = next.lastIndexOf(end)
  return at < 0 ? next : next.slice(at + end.length)
}
