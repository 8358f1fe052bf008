import type { DocketEvent } from "@docket/core/schema"
import type * as Sdk from "@opencode-ai/sdk/v2/types"
import { answerShape, permissionShape, questionShape } from "./ask-shape.ts"
import { errorShape, messageShape, partShape, type ShapePlace } from "./message-shape.ts"
import { sessionShape, statusShape, todoShape } from "./session-shape.ts"

/** The type and the content of an event. */
type Event<E = Sdk.Event> = E extends { type: infer Type; properties: infer Properties }
  ? { type: Type; properties: Properties }
  : never
export type OpencodeEvent = Event

export interface EventPlace extends ShapePlace {
  /** The directory of the session's project. */
  project: string
  version: string
  clock(): number
  /** A session that was shown to this reader before; a deleted one is known from there alone. */
  known(sessionID: string): Sdk.Session | undefined
}

/** An event as OpenCode's clients know it: one, two for a session that rests, or none. */
export function eventShape(event: DocketEvent, place: EventPlace): OpencodeEvent[] {
  switch (event.type) {
    case "session.created":
    case "session.updated": {
      const info = sessionShape(event.properties.info, place.version)
      return [{ type: event.type, properties: { sessionID: info.id, info } }]
    }
    case "session.deleted": {
      const { sessionID } = event.properties
      const info = place.known(sessionID)
      return info === undefined ? [] : [{ type: event.type, properties: { sessionID, info } }]
    }
    case "session.status": {
      const { sessionID } = event.properties
      const status = statusShape(event.properties.status)
      const said: OpencodeEvent = { type: event.type, properties: { sessionID, status } }
      return status.type === "idle" ? [said, { type: "session.idle", properties: { sessionID } }] : [said]
    }
    case "session.error": {
      const { sessionID, error } = event.properties
      return [{ type: event.type, properties: { sessionID, error: errorShape(error, "") } }]
    }
    case "session.compacted":
      return [{ type: event.type, properties: { sessionID: event.properties.sessionID } }]
    case "message.updated": {
      const info = messageShape(event.properties.info, place)
      return [{ type: event.type, properties: { sessionID: info.sessionID, info } }]
    }
    case "message.removed":
    case "message.part.removed":
      return [{ type: event.type, properties: event.properties } as OpencodeEvent]
    case "message.part.updated": {
      const part = partShape(event.properties.part, place)
      return [{ type: event.type, properties: { sessionID: part.sessionID, part, time: place.clock() } }]
    }
    case "message.part.delta": {
      const { sessionID, messageID, partID, text } = event.properties
      return [{ type: event.type, properties: { sessionID, messageID, partID, field: "text", delta: text } }]
    }
    case "todo.updated": {
      const { sessionID, todos } = event.properties
      return [{ type: event.type, properties: { sessionID, todos: todos.map(todoShape) } }]
    }
    case "permission.asked":
    case "permission.replied":
      return askEvent(event)
    default:
      return []
  }
}

/** Questions and plans have events of their own. Whoever cannot be asked any more was refused. */
function askEvent({ type, properties }: Extract<DocketEvent, { type: `permission.${string}` }>): OpencodeEvent[] {
  const { request } = properties
  const { id: requestID, sessionID, status, answers } = request
  const question = questionShape(request)
  if (type === "permission.asked") {
    return [
      question === null
        ? { type, properties: permissionShape(request) }
        : { type: "question.asked", properties: question },
    ]
  }
  if (question === null) {
    const reply = status === "once" || status === "always" ? status : ("reject" as const)
    return [{ type, properties: { sessionID, requestID, reply } }]
  }
  return status === "answered"
    ? [{ type: "question.replied", properties: { sessionID, requestID, answers: (answers ?? []).map(answerShape) } }]
    : [{ type: "question.rejected", properties: { sessionID, requestID } }]
}
