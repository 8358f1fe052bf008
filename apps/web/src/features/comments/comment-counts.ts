import type { ThreadView } from "@docket/core"
import type { ReviewPlace } from "@docket/core/schema"
import { type CommentCount, wholeTree } from "../commenting/comment-store.ts"
import type { LocalDraft } from "./draft-box.ts"

/** Counts open threads and the user's own drafts by part and message, and by session. */
export function commentCounts(
  threads: readonly ThreadView[],
  drafts: readonly LocalDraft[],
): ReadonlyMap<string, CommentCount> {
  const counts = new Map<string, CommentCount>()
  const add = (id: string, kind: keyof CommentCount) => {
    const count = counts.get(id) ?? { open: 0, drafts: 0 }
    counts.set(id, { ...count, [kind]: count[kind] + 1 })
  }
  const places = new Map(threads.map(({ thread }) => [thread.id, thread]))
  for (const { thread } of threads) {
    if (thread.resolved !== null) continue
    add(wholeTree, "open")
    add(thread.sessionID, "open")
    const id = placeID(thread.anchor)
    if (id !== null) add(id, "open")
  }
  for (const { at, text } of drafts) {
    if (text.trim() === "") continue
    add(wholeTree, "drafts")
    add(at.sessionID, "drafts")
    const place = "threadID" in at ? places.get(at.threadID)?.anchor : at.place
    const id = place === undefined ? null : placeID(place)
    if (id !== null) add(id, "drafts")
  }
  return counts
}

/** Id of the row that contains the place; null for a whole session and for a diff, which no row shows. */
export function placeID(place: ReviewPlace): string | null {
  if (place.kind === "part" || place.kind === "text") return place.partID
  return place.kind === "message" ? place.messageID : null
}
