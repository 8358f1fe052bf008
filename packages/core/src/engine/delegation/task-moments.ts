import type { Bus } from "../../ground/event/bus.ts"
import { callMark } from "../../ground/message/call-mark.ts"
import { askedText } from "../../ground/rule/asked-text.ts"
import type { DocketEvent, PermissionRequest, TaskMoment } from "../../ground/schema/index.ts"
import type { LiveTask } from "./live-tasks.ts"

/** The newest moments that a task keeps. */
export const maxMoments = 100

/**
 * Notes what stands out while a task runs, until it is ended. Nothing is stored for it alone: the row takes it along
 * with the next step and with the end.
 */
export function noteMoments(
  { bus }: { bus: Bus },
  entry: LiveTask,
  isUnder: (sessionID: string) => boolean,
): () => void {
  return bus.subscribe((event) => {
    const moment = event.rootID === entry.task.rootID ? momentOf(event, entry.child.id, isUnder) : null
    const { moments = [] } = entry.task
    // A part that failed may be told again, with less of its output.
    if (moment === null || moments.some(({ kind, from }) => kind === moment.kind && from === moment.from)) return
    entry.task = { ...entry.task, moments: [...moments, moment].slice(-maxMoments) }
  })
}

function momentOf(event: DocketEvent, childID: string, isUnder: (sessionID: string) => boolean): TaskMoment | null {
  if (event.type === "message.part.updated") {
    const { part } = event.properties
    if (part.sessionID !== childID || part.type !== "tool" || callMark(part) !== "failed") return null
    const at = part.state.status === "error" || part.state.status === "completed" ? part.state.time.end : null
    return at === null ? null : { kind: "error", from: at, until: at }
  }
  if (event.type !== "permission.replied" || !isUnder(event.properties.request.sessionID)) return null
  const { request } = event.properties
  const { created, replied } = request.time
  return { kind: "wait", from: created, until: replied ?? created, ...answerOf(request) }
}

function answerOf(request: PermissionRequest): Pick<TaskMoment, "answer"> {
  const { status, by } = request
  return status === "pending" ? {} : { answer: { status, asked: askedText(request), ...(by && { by }) } }
}
