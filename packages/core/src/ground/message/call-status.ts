import type { ToolPart } from "../schema/index.ts"
import { readCallEnd, readToolCall } from "../schema/read-tool-call.ts"
import type { MetadataOf } from "../schema/tool-metadata.ts"
import { taskStatus, type WorkStatus } from "./work-status.ts"

/**
 * The status of a call for people. A call counts as failed when its command ran and failed, even though the call itself
 * completed. It counts as stopped, not as failed, when a person rejected it or when its turn or task was stopped.
 */
export function callStatus(part: ToolPart): WorkStatus {
  switch (part.state.status) {
    case "pending":
      return "queued"
    case "running":
      return "running"
    case "error":
      return endStatus(part)
    case "completed":
      return callAlarm(part) === null ? "done" : "failed"
  }
}

function endStatus(part: ToolPart): WorkStatus {
  const { interrupted, rejected } = readCallEnd(part)
  if (interrupted || rejected) return "stopped"
  const call = readToolCall(part)
  return call.tool === "task" && call.metadata !== null && taskStatus(call.metadata.state) === "stopped"
    ? "stopped"
    : "failed"
}

/** How the command of a call went wrong, in a word or two; null when it did not, and for calls that run none. */
export function callAlarm(part: ToolPart): string | null {
  const call = readToolCall(part)
  return call.tool === "bash" && call.metadata !== null ? commandAlarm(call.metadata) : null
}

function commandAlarm({ timedOut, signal, exit }: MetadataOf<"bash">): string | null {
  if (timedOut) return "timed out"
  if (signal) return signal
  return exit === null || exit === undefined || exit === 0 ? null : `exit ${exit}`
}
