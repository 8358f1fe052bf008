/**
 * A file in a snapshot; null stands for a missing file. Links and files that are too large to keep have special modes.
 */
export interface FileState {
  /** git's mode: `100644`, `100755`, `120000` for a link, `160000` for a file that is not kept. */
  mode: string
  hash: string
}

export interface FileChange {
  /** Relative to the git top level, with `/`. */
  path: string
  from: FileState | null
  to: FileState | null
}

/** The mode of a file that is too large to keep, and of a nested repository. */
export const unkeptMode = "160000"

export function sameState(a: FileState | null, b: FileState | null): boolean {
  return a === null || b === null ? a === b : a.mode === b.mode && a.hash === b.hash
}

/** Reads `git diff-tree -r -z --raw --no-renames`. */
export function parseTreeChanges(output: Buffer): FileChange[] {
  const fields = output.toString("utf8").split("\0")
  const changes: FileChange[] = []
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [fromMode = "", toMode = "", fromHash = "", toHash = ""] = (fields[at] ?? "").slice(1).split(" ")
    changes.push({ path: fields[at + 1] ?? "", from: state(fromMode, fromHash), to: state(toMode, toHash) })
  }
  return changes
}

/** Reads `git ls-tree -r -z`. */
export function parseTree(output: Buffer): Map<string, FileState> {
  const files = new Map<string, FileState>()
  for (const line of output.toString("utf8").split("\0")) {
    const tab = line.indexOf("\t")
    const [mode = "", , hash = ""] = line.slice(0, tab).split(" ")
    if (tab > 0) files.set(line.slice(tab + 1), { mode, hash })
  }
  return files
}

function state(mode: string, hash: string): FileState | null {
  return mode === "000000" ? null : { mode, hash }
}
