import { posixRelative } from "../../ground/file/posix-relative.ts"

/** The time while the tools of one step may change files of a worktree. */
export interface FileWindow {
  /** A tool that names this file (a real path) changes it. */
  claim(file: string): void
  /** A command may change any file. */
  claimAll(): void
  /**
   * Ends the window. The result tells whether a change during it belongs to the step: a file that the step named or,
   * after `claimAll`, any file that no step of the same time named.
   */
  close(): (path: string) => boolean
}

/** The open windows of this process. */
export interface FileWindows {
  open(worktree: string): FileWindow
}

interface Entry {
  named: Set<string>
  all: boolean
  /** The windows that were open at the same time. */
  overlapping: Set<Entry>
}

export function createFileWindows(): FileWindows {
  const windows = new Map<string, Set<Entry>>()
  return {
    open(worktree) {
      const others = windows.get(worktree) ?? new Set()
      windows.set(worktree, others)
      const entry: Entry = { named: new Set(), all: false, overlapping: new Set(others) }
      for (const other of others) other.overlapping.add(entry)
      others.add(entry)
      return {
        claim: (file) => entry.named.add(posixRelative(worktree, file)),
        claimAll() {
          entry.all = true
        },
        close() {
          others.delete(entry)
          if (others.size === 0 && windows.get(worktree) === others) windows.delete(worktree)
          const foreign = new Set([...entry.overlapping].flatMap((other) => [...other.named]))
          return (path) => entry.named.has(path) || (entry.all && !foreign.has(path))
        },
      }
    },
  }
}
