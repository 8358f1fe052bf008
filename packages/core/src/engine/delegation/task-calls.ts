import type { Bus } from "../../ground/event/bus.ts"
import { callMark } from "../../ground/message/call-mark.ts"
import type { LiveTask } from "./live-tasks.ts"

/** The newest calls of which a task keeps how they went: as many as a card has room for. */
const maxCalls = 24

/**
 * Notes how the calls of a child went while its task runs, until it is ended. As its moments, they go along with a row
 * that is stored anyway.
 */
export function noteCalls({ bus }: { bus: Bus }, entry: LiveTask): () => void {
  const noted = new Set<string>()
  return bus.subscribe((event) => {
    if (event.rootID !== entry.task.rootID || event.type !== "message.part.updated") return
    const { part } = event.properties
    if (part.type !== "tool" || part.sessionID !== entry.child.id || noted.has(part.id)) return
    const { state } = part
    if (state.status !== "completed" && state.status !== "error") return
    // Calls of an earlier task are told again, with less of their output.
    if (state.time.end < entry.task.time.created) return
    noted.add(part.id)
    const went = callMark(part) === "failed" ? ("error" as const) : ("completed" as const)
    entry.task = { ...entry.task, calls: [...(entry.task.calls ?? []), went].slice(-maxCalls) }
  })
}
