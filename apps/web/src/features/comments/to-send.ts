import type { ThreadView } from "@docket/core"
import type { ReviewAnchor, ReviewComment } from "@docket/core/schema"
import type { LocalDraft } from "./draft-box.ts"

/** A comment or draft of the user that was not sent to an agent yet. */
export interface Unsent {
  id: string
  isDraft: boolean
  thread: { taskID: string | null; anchor: ReviewAnchor }
  text: string
}

/** What the user can send for one session: unsent comments in open threads, and drafts. */
export function unsentOf(
  { sessionID, person }: { sessionID: string; person: string },
  threads: readonly ThreadView[],
  drafts: readonly LocalDraft[],
): Unsent[] {
  const own = threads.filter(({ thread }) => thread.sessionID === sessionID)
  const comments = own.flatMap(({ thread, comments }) =>
    thread.resolved === null ? comments.filter((it) => isUnsent(it, person)).map((it) => ofComment(thread, it)) : [],
  )
  const written = drafts.flatMap((draft): Unsent[] => {
    const { at, text, saved, posting } = draft
    if (at.sessionID !== sessionID || saved === null || text.trim() === "" || posting) return []
    const thread =
      "threadID" in at
        ? own.find(({ thread }) => thread.id === at.threadID)?.thread
        : { taskID: null, anchor: anchorOf(at) }
    return thread === undefined ? [] : [{ id: saved.draftID, isDraft: true, thread, text }]
  })
  return [...comments, ...written]
}

function isUnsent({ by, sent, time }: ReviewComment, person: string): boolean {
  return by.person === person && sent === null && time.deleted === null
}

function ofComment({ taskID, anchor }: Unsent["thread"], { id, text }: ReviewComment): Unsent {
  return { id, isDraft: false, thread: { taskID, anchor }, text }
}

/** The anchor that the server will store for a place and its quote. */
function anchorOf({ place, quote }: Extract<LocalDraft["at"], { quote: unknown }>): ReviewAnchor {
  if (place.kind === "text") return { ...place, quote: quote ?? "", before: "", after: "" }
  return place.kind === "diff" ? { ...place, quote: quote ?? "" } : place
}
