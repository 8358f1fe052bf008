import type { AnchoredText, ReviewPlace } from "@docket/core/schema"

/** What was said of something: threads that are open, and comments of the reader's own that are not posted. */
export interface CommentCount {
  open: number
  drafts: number
}

/** Lines of a diff as they are shown, `from` and `to` included, and the steps whose change it shows. */
export interface ShownLines {
  path: string
  patch: string
  side: "old" | "new"
  from: number
  to: number
  /** Of the steps, oldest first; null for the change of the one call. */
  messageIDs: readonly string[] | null
  /** The call whose card shows it. */
  partID: string | null
}

/** A range of a part's text, in UTF-16 units; `to` is not included. */
export interface PartRange {
  partID: string
  of: AnchoredText
  from: number
  to: number
}

/** What a reader asks for where they read. */
export type CommentWish =
  /** To comment on what is selected. */
  | { kind: "selection" }
  | { kind: "place"; sessionID: string; place: ReviewPlace }
  | { kind: "part"; partID: string }
  | { kind: "lines"; lines: ShownLines }
  /** To read what was said of a part, message or session. */
  | { kind: "show"; id: string }

/** Names the whole tree among the counts. */
export const wholeTree = "tree"

export interface CommentState {
  /** By part, message or session, and of the whole tree. */
  counts: ReadonlyMap<string, CommentCount>
  wish: CommentWish | null
  /** The draft to write, or what is said of a part, message or session, that the list of comments is to show. */
  focus: { draft: string } | { said: string } | null
  /** The part whose body is to be open: somebody goes to what a comment is about. */
  revealed: string | null
  /** The words that are to come into sight once they are drawn, for the same reason. */
  sought: PartRange | null
}

/** What connects the places that are read with the comments on them, whose code comes later. */
export interface CommentStore {
  get(): CommentState
  subscribe(listener: () => void): () => void
  wish(wish: CommentWish): void
  /** The wish, once: whoever takes it fulfils it. */
  take(): CommentWish | null
  setCounts(counts: ReadonlyMap<string, CommentCount>): void
  show(focus: CommentState["focus"]): void
  reveal(partID: string | null): void
  seek(words: PartRange | null): void
}

/** Where somebody goes: a page that opens on their way begins with it. */
const going: Pick<CommentState, "revealed" | "sought"> = { revealed: null, sought: null }

export function createCommentStore(): CommentStore {
  const listeners = new Set<() => void>()
  let state: CommentState = { counts: new Map(), wish: null, focus: null, ...going }
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
      going.revealed = revealed
      change({ revealed })
    },
    seek(sought) {
      going.sought = sought
      change({ sought })
    },
  }
}

/** What was said of any of these together. */
export function countOf({ counts }: CommentState, ids: readonly string[]): CommentCount {
  const sum = { open: 0, drafts: 0 }
  for (const id of ids) {
    const count = counts.get(id)
    sum.open += count?.open ?? 0
    sum.drafts += count?.drafts ?? 0
  }
  return sum
}
