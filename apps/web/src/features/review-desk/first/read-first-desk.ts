import { treeFromSeed } from "@docket/client"
import type { ReviewOverview } from "@docket/core"
import type { Task } from "@docket/core/schema"
import { shortTitle } from "@docket/core/session-title"
import { foldedLength } from "../../child/folded-length.ts"
import { reviewsByTask } from "../../review/reviews-by-task.ts"
import { type FirstView, fitsPage, readFirst, readPage, seedOf } from "../../transcript/first/read-first.ts"
import type { SentHeader } from "../desk/desk-header.tsx"
import { type DeskPlace, placedRow, placedTask } from "../desk/desk-place.ts"
import { reviewedCount, reviewRows } from "../task/review-rows.ts"

/** What the document of a desk brings along. */
export interface FirstDeskView extends FirstView {
  /** The session of the task where the reader arrives. */
  sessionID: string
  /** The part that the address names. */
  part: string | null
  header: SentHeader
  overview: ReviewOverview
  /** Of that task as much as is seen at once; null for the root. */
  brief: Pick<Task, "prompt" | "result" | "error"> | null
  /** The whole of it, unless that is long. */
  record: Task | null
}

/** Of a record, in UTF-16 units as JSON. */
const longestRecord = 16_000

/** Null for what comes after the page: other views, replays, and what is large. */
export async function readFirstDesk(rootID: string, place: DeskPlace): Promise<FirstDeskView | null> {
  if (place.view !== "transcript" || place.at !== null) return null
  return readFirst(async (trees) => {
    const [snapshot, overview] = await Promise.all([
      trees.session.tree({ sessionID: rootID }),
      trees.review.overview({ sessionID: rootID }),
    ])
    if (!fitsPage(rootID, snapshot, overview)) return null
    const { tree } = treeFromSeed({ rootID, snapshot, page: null, cut: [] })
    const rows = reviewRows(tree, reviewsByTask(overview))
    const [root, row] = [tree.sessions[rootID], placedRow(rows, rootID, place.task)]
    if (root === undefined || row === null) return null
    const { sessionID } = row
    const task = placedTask(row, place.attempt)
    const address = { rootID, sessionID, part: place.part }
    const [page, record] = await Promise.all([readPage(trees, address), task && trees.task.get({ taskID: task.id })])
    const seed = seedOf(address, snapshot, page)
    if (seed === null) return null
    const isShort = JSON.stringify(record).length <= longestRecord
    return {
      seed,
      sessionID,
      part: place.part,
      header: { title: shortTitle(root), ...reviewedCount(rows) },
      overview,
      brief: record && seenOf(record),
      record: isShort ? record : null,
    }
  })
}

function seenOf({ prompt, result, error }: Task): Pick<Task, "prompt" | "result" | "error"> {
  const clip = (text: string) => text.slice(0, foldedLength)
  return {
    prompt: clip(prompt),
    result: result === null ? null : clip(result),
    error: error && { ...error, message: clip(error.message) },
  }
}
