import type { KnownValue } from "../../redact/index.ts"

/**
 * The kind of a row of a copy. `locked`: a session of which the copy shows nothing else. `removed`: a row that was
 * removed; it stays in the sequence, so that a returning reader learns of the removal.
 */
export type ShareRowKind = "session" | "locked" | "message" | "part" | "todos" | "task" | "removed"

/** How many findings are hidden, by label: "AWS access key". */
export type Hidden = Readonly<Record<string, number>>

/** A row as readers of a share see it: redacted, and written once for all of them. */
export interface ShareRow {
  /** The id of the session, message, part or task that it shows; for a list of todos `todos:` and the session's id. */
  id: string
  kind: ShareRowKind
  sessionID: string
  messageID: string | null
  /** The number of the row in the share's own sequence. */
  seq: number
  /** How many findings were hidden in the row, by label. */
  hidden: Hidden
  /** The row, or the notice of its removal, as JSON. */
  data: string
}

/** How far a copy is. */
export interface ShareCopy {
  /** Everything of the tree up to this sequence number is in it; 0 while it is built for the first time. */
  cursor: number
  /** The newest number of its own. */
  seq: number
  /** By session, the message from which on its transcript is undone: nothing of that is in the copy. */
  undone: Readonly<Record<string, string>>
  /** Digests of what all its rows depend on beside the tree: the owner's choice, and secrets known by their value. */
  known: readonly string[]
  /**
   * The known secret values that occurred in the tree, which contains them in plain text anyway. They are hidden in the
   * copy even when their source no longer has them.
   */
  met: readonly KnownValue[]
  views: number
  /** When it was last asked for (epoch ms). */
  viewed: number | null
}

export interface ShareRowPage {
  messages: ShareRow[]
  parts: ShareRow[]
  /** Ids of the first and last message when there is more on that side. */
  before: string | null
  after: string | null
}

/** The copies that shares serve. A copy goes with its share, and is gone once that is revoked. */
export interface ShareCopyStore {
  /** How far the copy is; an empty one is made first. Null when the share is unknown or revoked. */
  open(shareID: string): Promise<ShareCopy | null>
  /** How far it is; null when there is none. */
  get(shareID: string): Promise<ShareCopy | null>
  /**
   * Puts rows in the place of those of the same id and moves the cursor, in one transaction. Answers with the rows as
   * they are numbered; null, with nothing changed, when the cursor is not at `from` any more or the copy is gone.
   */
  publish(
    shareID: string,
    write: Pick<ShareCopy, "undone" | "known" | "met"> & {
      from: number
      to: number
      rows: readonly Omit<ShareRow, "seq">[]
    },
  ): Promise<ShareRow[] | null>
  /** Rows of these kinds, in the order of their ids. */
  rows(shareID: string, kinds: readonly ShareRowKind[]): Promise<ShareRow[]>
  /** A window of a session's messages with their parts; as `TranscriptStore.page`. */
  page(
    shareID: string,
    query: {
      sessionID: string
      before?: string | undefined
      after?: string | undefined
      around?: string | undefined
      limit: number
    },
  ): Promise<ShareRowPage>
  /** The part of this id; null when the copy does not show it. */
  part(shareID: string, id: string): Promise<ShareRow | null>
  /** Rows with a larger number, in order. */
  changesSince(shareID: string, seq: number, limit: number): Promise<ShareRow[]>
  /** How many findings are hidden in the whole copy. */
  hidden(shareID: string): Promise<Hidden>
  /** Counts a reader who came at this time (epoch ms). */
  visit(shareID: string, now: number): Promise<void>
  remove(shareID: string): Promise<void>
}
