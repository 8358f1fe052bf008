import { changeEvent } from "../../ground/event/change-event.ts"
import { type FeedChange, type ShareRow, taskSummary } from "../../ground/store/index.ts"
import type { ShareSource } from "./public-row.ts"
import { type ShareScan, todosID } from "./share-scan.ts"
import { isVisible, masked, type VisibleTree } from "./tree-sources.ts"
import { createYield } from "./yield-to-event-loop.ts"

/** A row that has no number yet. */
export type Draft = Omit<ShareRow, "seq">

/** What the changes make of a copy's rows. */
export async function changeRows(scan: ShareScan, tree: VisibleTree, changes: readonly FeedChange[]): Promise<Draft[]> {
  const yieldToEventLoop = createYield()
  const rows: Draft[] = []
  for (const change of changes) {
    rows.push(...rowsOf(scan, tree, change))
    await yieldToEventLoop()
  }
  return rows
}

function rowsOf(scan: ShareScan, tree: VisibleTree, change: FeedChange): Draft[] {
  const source = sourceOf(change)
  if (source !== null) {
    if (!isVisible(tree, source)) return []
    return [scan.toRow(masked(source, tree)) ?? removedPart(source)].filter((row) => row !== null)
  }
  switch (change.kind) {
    case "message.removed":
      return [removedRow(change.messageID, change.sessionID, change)]
    case "part.removed":
      return [removedRow(change.partID, change.sessionID, change)]
    case "session.removed":
      return [
        removedRow(change.sessionID, change.sessionID, change),
        removedRow(todosID(change.sessionID), change.sessionID, null),
      ]
    default:
      return []
  }
}

function sourceOf(change: FeedChange): ShareSource | null {
  switch (change.kind) {
    case "session":
    case "message":
    case "part":
      return change
    case "todos":
      return change
    case "task":
      return { kind: "task", value: taskSummary(change.value) }
    default:
      return null
  }
}

/** A part that was shown while it grew and holds, as a whole, what is to be left out. */
export function removedPart(source: ShareSource): Draft | null {
  if (source.kind !== "part") return null
  const { id, sessionID, messageID } = source.value
  return removedRow(id, sessionID, { rootID: "", seq: 0, kind: "part.removed", sessionID, messageID, partID: id })
}

/** What is told in the place of a row. `change` is null where another row's removal tells of it. */
export function removedRow(id: string, sessionID: string, change: FeedChange | null): Draft {
  const event = change && changeEvent(change)
  const data = JSON.stringify(event && { type: event.type, properties: event.properties })
  return { id, kind: "removed", sessionID, messageID: null, hidden: {}, data }
}
