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

/** The data that is sent with a desk's page. */
export interface FirstDeskView extends FirstView {
  /** The session of the task that is shown first. */
  sessionID: string
  /** The part named in the address. */
  part: string | null
  header: SentHeader
  overview: ReviewOverview
  /** The visible part of that task's brief and result; null for the root. */
  brief: Pick<Task, "prompt" | "result" | "error"> | null
  /** The complete task record, unless it is long. */
  record: Task | null
}

/** Longest record that is sent, in UTF-16 units as JSON. */
const longestRecord = 16_000

/** Returns null for what is loaded after the page: other views, replays, and large trees. */
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
      brief: record && visibleBrief(record),
      record: isShort ? record : null,
    }
  })
}

function visibleBrief({ prompt, result, error }: Task): Pick<Task, "prompt" | "result" | "error"> {
  const clip = (text: string) => text.slice(0, foldedLength)
  return {
    prompt: clip(prompt),
    result: result === null ? null : clip(result),
    error: error && { ...error, message: clip(error.message) },
  }
}
