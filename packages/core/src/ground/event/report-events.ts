import type { Change, DocketEvent } from "../schema/index.ts"
import { readFileChanges } from "../schema/read-tool-call.ts"
import type { FeedChange } from "../store/index.ts"

/** The most files that one event names. */
const maxFiles = 200

/**
 * What a change of a row means to readers, besides the row itself: changed files, a conversation that was compacted.
 * These events belong to no row, so a reader who reconnects reads the summary again instead.
 */
export function reportEvents(change: FeedChange): DocketEvent[] {
  const { rootID } = change
  if (change.kind === "message") {
    const { value } = change
    const isCompacted = value.role === "assistant" && value.summary === true && value.finish === "stop"
    if (!isCompacted || value.error !== null) return []
    const properties = { sessionID: value.sessionID, messageID: value.id }
    return [{ type: "session.compacted", rootID, seq: null, properties }]
  }
  const paths = change.kind === "part" ? changedFiles(change.value) : []
  if (change.kind !== "part" || paths.length === 0) return []
  const { sessionID, messageID } = change.value
  const properties = { sessionID, messageID, files: paths.slice(0, maxFiles), count: paths.length }
  return [{ type: "session.diff", rootID, seq: null, properties }]
}

function changedFiles(part: Extract<Change, { kind: "part" }>["value"]): string[] {
  if (part.type === "patch") return part.files
  return part.type === "tool" ? (readFileChanges(part) ?? []).map(({ file }) => file) : []
}
