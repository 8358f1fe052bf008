import type { Message, Part, Session, TaskSummary, Todo } from "../../ground/schema/index.ts"
import type { Hidden, ShareRow } from "../../ground/store/index.ts"
import { breather } from "./breather.ts"
import { type Draft, removedPart } from "./change-rows.ts"
import type { LockedSession, ShareSource } from "./public-row.ts"
import type { ShareScan } from "./share-scan.ts"

/** The rows of a copy that show something which is known to be secret by now, without it. Its tree may say other things. */
export async function scanAgain(scan: ShareScan, rows: readonly ShareRow[]): Promise<Draft[]> {
  const breathe = breather()
  const drafts: Draft[] = []
  for (const row of rows) {
    const source = sourceOf(row)
    const draft = source && (scan.toRow(source) ?? removedPart(source))
    if (draft && draft.data !== row.data) drafts.push({ ...draft, hidden: sum(row.hidden, draft.hidden) })
    await breathe()
  }
  return drafts
}

/** Rows of a copy were made from these very types, and are what would be made of themselves. */
function sourceOf({ kind, data }: ShareRow): ShareSource | null {
  switch (kind) {
    case "session":
      return { kind, value: JSON.parse(data) as Session }
    case "locked":
      return { kind, value: JSON.parse(data) as LockedSession }
    case "message":
      return { kind, value: JSON.parse(data) as Message }
    case "part":
      return { kind, value: JSON.parse(data) as Part }
    case "task":
      return { kind, value: JSON.parse(data) as TaskSummary }
    case "todos": {
      const list = JSON.parse(data) as { sessionID: string; todos: Todo[] }
      return { kind, sessionID: list.sessionID, value: list.todos }
    }
    case "removed":
      return null
  }
}

function sum(left: Hidden, right: Hidden): Hidden {
  const labels = Object.keys({ ...left, ...right })
  return Object.fromEntries(labels.map((label) => [label, (left[label] ?? 0) + (right[label] ?? 0)]))
}
