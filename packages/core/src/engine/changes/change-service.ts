/** What the tools of one step did to one file. */
export interface StepChange {
  /** Relative to the git top level, with `/`; absolute for a file outside the project. */
  path: string
  kind: "added" | "changed" | "deleted"
  /** Lines; null when they are not known, `lack` says why then. */
  lines: { added: number; removed: number } | null
  /** Why there is no diff: the file is no text, too large to keep, or what was kept of it is gone. */
  lack: ChangeLack | null
  sessionID: string
  messageID: string
  /** The call that made the change: the one that names the file, else the step's first command. */
  partID: string | null
  agent: string
  /** The root session's prompt in whose turn it was made; null when that is not known. */
  promptID: string | null
  /** The task that made it; null for the root session's own work. */
  taskID: string | null
}

export type ChangeLack = "binary" | "too_large" | "expired"

export interface TreeChanges {
  /** Oldest first, without what is undone. */
  changes: StepChange[]
  /** Prompts of the root session that changed something, oldest first; `text` is cut. */
  prompts: { id: string; text: string }[]
  /** Set when commands ran whose changes cannot be known, and why. */
  unseen: "no_git" | "no_snapshot" | null
  /** There are more, older ones. */
  truncated: boolean
}

/** A step, by its message. */
export interface StepRef {
  sessionID: string
  messageID: string
}

/** Steps whose changes follow one another, with one diff from before the first to after the last. */
export interface DiffPiece {
  messageIDs: string[]
  /** A unified diff; null when there is none, `lack` says why then. */
  patch: string | null
  lack: ChangeLack | null
}

/** The files that a tree of sessions changed, by what its snapshots and the calls of its tools hold. */
export interface ChangeService {
  /** Changes of the whole tree of which the session is one. @throws session_not_found */
  list(sessionID: string): Promise<TreeChanges>
  /**
   * What these steps of the session's tree did to one file, oldest first. Where somebody else changed the file between
   * two of them there is a piece for each. @throws session_not_found, message_not_found
   */
  diff(sessionID: string, path: string, steps: readonly StepRef[]): Promise<DiffPiece[]>
}
