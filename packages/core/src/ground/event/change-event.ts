import type { DocketEvent } from "../schema/index.ts"
import type { FeedChange } from "../store/index.ts"
import { taskSummary } from "../store/task-summary.ts"

/** The event that tells of a committed change; null for a quiet one and for what cannot be read. */
export function changeEvent(change: FeedChange): DocketEvent | null {
  const place = { rootID: change.rootID, seq: change.seq }
  switch (change.kind) {
    case "session":
      return {
        ...place,
        type: change.created ? "session.created" : "session.updated",
        properties: { info: change.value },
      }
    case "session.removed":
      return { ...place, type: "session.deleted", properties: { sessionID: change.sessionID } }
    case "message":
      return { ...place, type: "message.updated", properties: { info: change.value } }
    case "message.removed":
      return {
        ...place,
        type: "message.removed",
        properties: { sessionID: change.sessionID, messageID: change.messageID },
      }
    case "part":
      return change.quiet ? null : { ...place, type: "message.part.updated", properties: { part: change.value } }
    case "part.removed":
      return {
        ...place,
        type: "message.part.removed",
        properties: { sessionID: change.sessionID, messageID: change.messageID, partID: change.partID },
      }
    case "todos":
      return { ...place, type: "todo.updated", properties: { sessionID: change.sessionID, todos: change.value } }
    case "permission":
      return {
        ...place,
        type: change.value.status === "pending" ? "permission.asked" : "permission.replied",
        properties: { request: change.value },
      }
    case "task":
      return { ...place, type: "task.updated", properties: { task: taskSummary(change.value) } }
    case "thread":
      return { ...place, type: "review.thread.updated", properties: { thread: change.value } }
    case "comment":
      return { ...place, type: "review.comment.updated", properties: { comment: change.value } }
    case "verdict":
      return { ...place, type: "review.verdict.updated", properties: { verdict: change.value } }
    case "viewed":
      return { ...place, type: "review.viewed.updated", properties: { viewed: change.value } }
    case "unreadable":
      return null
    case "turn":
      return { ...place, type: "turn.updated", properties: { turn: change.value } }
  }
}
