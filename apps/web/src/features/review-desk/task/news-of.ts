import type { TaskReview } from "@docket/core"

/** What happened in a task after it was judged or viewed. */
export interface TaskNews {
  /** `stale`: the verdicts no longer apply; `new`: only new to the user. */
  kind: "stale" | "new"
  newParts: number
  changed: boolean
  /** The last part at that time; newer parts come after it. */
  partID: string | null
}

/** The news of a task: since the newest verdict when all verdicts are stale, otherwise since the user viewed it. */
export function newsOf({ mark, verdicts, viewed }: TaskReview): TaskNews | null {
  const last = verdicts.toSorted((a, b) => a.verdict.time.created - b.verdict.time.created).at(-1)
  if (mark === "stale" && last !== undefined) {
    const { newParts, changed, verdict } = last
    return { kind: "stale", newParts, changed, partID: verdict.on.last?.partID ?? null }
  }
  if (!viewed || (viewed.newParts === 0 && !viewed.changed)) return null
  return { kind: "new", newParts: viewed.newParts, changed: viewed.changed, partID: viewed.last?.partID ?? null }
}
