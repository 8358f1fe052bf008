import type { AnchoredText, ReviewPlace } from "@docket/core/schema"

/** Number of open threads, and of the user's own drafts. */
export interface CommentCount {
  open: number
  drafts: number
}

/**
 * Lines of a diff as they are shown, including `from` and `to`, and the steps whose change the diff shows. The type of
 * this name in `ui/fold-text.ts` is another one: how many lines of a long text are shown.
 */
export interface ShownLines {
  path: string
  patch: string
  side: "old" | "new"
  from: number
  to: number
  /** Messages of the steps, oldest first; null for the change of a single call. */
  messageIDs: readonly string[] | null
  /** The call whose card shows the diff. */
  partID: string | null
}

/** A range of a part's text, in UTF-16 units; `to` is not included. */
export interface PartRange {
  partID: string
  of: AnchoredText
  from: number
  to: number
}

/** A request of the user about comments, made where they read. */
export type CommentWish =
  /** Comment on the selection. */
  | { kind: "selection" }
  | { kind: "place"; sessionID: string; place: ReviewPlace }
  | { kind: "part"; partID: string }
  | { kind: "lines"; lines: ShownLines }
  /** Show the comments on a part, message or session. */
  | { kind: "show"; id: string }

/** The key of the whole tree in `counts`. */
export const wholeTree = "tree"

export interface CommentState {
  /** By part, message or session, and for the whole tree. */
  counts: ReadonlyMap<string, CommentCount>
  wish: CommentWish | null
  /** What the list of comments should show: a draft to write, by its key, or the comments on what has this id. */
  focus: { draft: string } | { commentsOn: string } | null
  /** The part whose body must be open, because the user goes to a comment's subject. */
  revealed: string | null
  /** The text to scroll to once it is drawn, because the user goes to a comment's subject. */
  sought: PartRange | null
}

/** Connects the transcripts with the comment features, whose code is loaded later. */
export interface CommentStore {
  get(): CommentState
  subscribe(listener: () => void): () => void
  wish(wish: CommentWish): void
  /** Returns the open request and clears it, so that it is handled once. */
  take(): CommentWish | null
  setCounts(counts: ReadonlyMap<string, CommentCount>): void
  show(focus: CommentState["focus"]): void
  reveal(partID: string | null): void
  seek(words: PartRange | null): void
}

/** The subject that the user goes to. It is global, so that a page opened on the way there starts with it. */
const currentTarget: Pick<CommentState, "revealed" | "sought"> = { revealed: null, sought: null }

export function createCommentStore(): CommentStore {
  const listeners = new Set<() => void>()
  let state: CommentState = { counts: new Map(), wish: null, focus: null, ...currentTarget }
  const change = (next: Partial<CommentState>) => {
    state = { ...state, ...next }
    for (const listener of listeners) listener()
  }
  return {
    get: () => state,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    wish: (wish) => change({ wish }),
    take() {
      const { wish } = state
      if (wish !== null) change({ wish: null })
      return wish
    },
    setCounts: (counts) => change({ counts }),
    show: (focus) => change({ focus }),
    reveal(revealed) {
      currentTarget.revealed = revealed
      change({ revealed })
    },
    seek(sought) {
      currentTarget.sought = sought
      change({ sought })
    },
  }
}

/** The total for several parts, messages or sessions. */
export function countOf({ counts }: CommentState, ids: readonly string[]): CommentCount {
  const sum = { open: 0, drafts: 0 }
  for (const id of ids) {
    const count = counts.get(id)
    sum.open += count?.open ?? 0
    sum.drafts += count?.drafts ?? 0
  }
  return sum
}
