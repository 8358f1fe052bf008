import type { ShareRow } from "../../ground/store/index.ts"

/** What a stream of a share sends: an event as JSON, written once for all who read it, and its place. */
export interface ShareEvent {
  seq: number
  json: string
}

/** Events that are sent together: one object for all who read it, so that it is made ready to send once. */
export type ShareBatch = readonly ShareEvent[]

/** What is told of a row, around what is stored of it as JSON; null when it tells nothing by itself. */
export function shareEvent(rootID: string, { kind, seq, data }: ShareRow): ShareEvent | null {
  const place = `"rootID":${JSON.stringify(rootID)},"seq":${seq}`
  switch (kind) {
    case "session":
      return { seq, json: `{"type":"session.updated",${place},"properties":{"info":${data}}}` }
    case "locked":
      return {
        seq,
        json: `{"type":"session.deleted",${place},"properties":{"sessionID":${JSON.stringify(JSON.parse(data).id)}}}`,
      }
    case "message":
      return { seq, json: `{"type":"message.updated",${place},"properties":{"info":${data}}}` }
    case "part":
      return { seq, json: `{"type":"message.part.updated",${place},"properties":{"part":${data}}}` }
    case "todos":
      return { seq, json: `{"type":"todo.updated",${place},"properties":${data}}` }
    case "task":
      return { seq, json: `{"type":"task.updated",${place},"properties":{"task":${data}}}` }
    case "removed":
      return data === "null" ? null : { seq, json: `{${place},${data.slice(1)}` }
  }
}
