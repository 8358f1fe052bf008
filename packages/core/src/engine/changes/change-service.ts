/** A change of one file by the tools of one step. */
export interface StepChange {
  /** Relative to the git top level, with `/`; absolute for a file outside the project. */
  path: string
  kind: "added" | "changed" | "deleted"
  /** Line counts; null when unknown, for the reason in `lack`. */
  lines: { added: number; removed: number } | null
  /** Why there is no diff: the file is no text, it was too large to keep, or its snapshot was removed. */
  lack: ChangeLack | null
  sessionID: string
  messageID: string
  /** The call that made the change: the one that names the file, else the step's first command. */
  partID: string | null
  agent: string
  /** The root session's prompt whose turn made the change; null when unknown. */
  promptID: string | null
  /** The task that made the change; null for the root session's own work. */
  taskID: string | null
}

export type ChangeLack = "binary" | "too_large" | "expired"

export interface TreeChanges {
  /** Oldest first, without undone changes. */
  changes: StepChange[]
  /** Prompts of the root session that led to changes, oldest first; `text` is cut. */
  prompts: { id: string; text: string }[]
  /** Set when commands ran whose changes are unknown: the reason. */
  unseen: "no_git" | "no_snapshot" | null
  /** There are older changes that are not listed. */
  truncated: boolean
}

/** A step, identified by its message. */
export interface StepRef {
  sessionID: string
  messageID: string
}

/** Consecutive changes of a file, with one diff from before the first to after the last. */
export interface DiffPiece {
  messageIDs: string[]
  /** A unified diff; null when there is none, for the reason in `lack`. */
  patch: string | null
  lack: ChangeLack | null
}

/** A file as consecutive changes found and left it. */
export interface ContentPiece {
  messageIDs: string[]
  /** Null when there was no file, or for the reason in `lack`. */
  before: string | null
  /** Null when the file is gone, or for the reason in `lack`. */
  after: string | null
  /** Why there are no contents; `no_snapshot`: only the call's diff is known. */
  lack: ChangeLack | "no_snapshot" | null
}

/** How much some changes are together. Lines are summed over steps, as in lists of files. */
export interface ChangeFigures {
  additions: number
  deletions: number
  /** How many files. */
  files: number
  /** By file, sorted by path. */
  diffs: FileFigures[]
}

export interface FileFigures {
  /** Relative to the git top level, with `/`; absolute for a file outside the project. */
  path: string
  /** What became of the file over all these changes. */
  kind: StepChange["kind"]
  additions: number
  deletions: number
  /** Why the counts are incomplete; null when they are complete. */
  lack: ChangeLack | null
}

/** What a tree changed: all in all, and by each prompt of its root session that led to changes, oldest first. */
export interface ChangeSummary extends ChangeFigures {
  /** `id` is the user message. Changes that no known prompt led to are only in the total. */
  prompts: ({ id: string; text: string } & ChangeFigures)[]
  unseen: TreeChanges["unseen"]
  /** There are older changes that are not counted. */
  truncated: boolean
}

/** The files that a tree of sessions changed, according to its snapshots and tool calls. */
export interface ChangeService {
  /** Changes of the whole tree that contains the session. @throws session_not_found */
  list(sessionID: string): Promise<TreeChanges>
  /**
   * The changes of one file by these steps of the session's tree, oldest first. When somebody else changed the file
   * between two steps, the pieces are separate. @throws session_not_found, message_not_found
   */
  diff(sessionID: string, path: string, steps: readonly StepRef[]): Promise<DiffPiece[]>
  /** One file before and after these steps, in the same pieces. @throws session_not_found, message_not_found */
  content(sessionID: string, path: string, steps: readonly StepRef[]): Promise<ContentPiece[]>
  /** The figures of the whole tree that contains the session. @throws session_not_found */
  summary(sessionID: string): Promise<ChangeSummary>
}
