import type { TaskReview } from "@docket/core"

/** What came to a task after somebody said something of it. */
export interface News {
  /** Its verdicts hold no more, or it is only new to the reader. */
  kind: "stale" | "new"
  newParts: number
  changed: boolean
  /** The last part that was there then; what is new comes after it. */
  partID: string | null
}

/** The news of a task: since the newest verdict where all of them are stale, else since the reader looked. */
export function newsOf({ mark, verdicts, viewed }: TaskReview): News | null {
  const last = verdicts.toSorted((a, b) => a.verdict.time.created - b.verdict.time.created).at(-1)
  if (mark === "stale" && last !== undefined) {
    const { newParts, changed, verdict } = last
    return { kind: "stale", newParts, changed, partID: verdict.on.last?.partID ?? null }
  }
  if (!viewed || (viewed.newParts === 0 && !viewed.changed)) return null
  return { kind: "new", newParts: viewed.newParts, changed: viewed.changed, partID: viewed.last?.partID ?? null }
}
