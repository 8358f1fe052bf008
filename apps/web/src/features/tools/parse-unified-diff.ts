export interface DiffLine {
  /** `file` is the path of the next lines, in a patch of several files. */
  kind: "add" | "remove" | "context" | "hunk" | "file"
  text: string
  /** 1-based line numbers; null on the side where the line does not exist. */
  before: number | null
  after: number | null
}

const hunkHeader = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@(.*)$/

/**
 * Lines of a unified diff with their numbers. `\ No newline` markers are left out, and so are file headers where there is
 * only one file.
 */
export function parseUnifiedDiff(patch: string): DiffLine[] {
  const lines: DiffLine[] = []
  let before = 0
  let after = 0
  let inHunk = false
  let removed = ""
  const several = patch.match(/^\+\+\+ /gm)?.length !== 1
  for (const line of patch.replace(/\n$/, "").split("\n")) {
    const header = hunkHeader.exec(line)
    if (header) {
      before = Number(header[1])
      after = Number(header[2])
      inHunk = true
      lines.push({ kind: "hunk", text: (header[3] ?? "").trim(), before, after })
    } else if (!inHunk || line.startsWith("\\")) {
      if (line.startsWith("--- ")) removed = headerPath(line)
      if (several && line.startsWith("+++ ")) {
        const added = headerPath(line)
        lines.push({
          kind: "file",
          text: added === "/dev/null" ? `${removed} (removed)` : added,
          before: null,
          after: null,
        })
      }
    } else if (line.startsWith("+")) {
      lines.push({ kind: "add", text: line.slice(1), before: null, after: after++ })
    } else if (line.startsWith("-")) {
      lines.push({ kind: "remove", text: line.slice(1), before: before++, after: null })
    } else if (line.startsWith(" ") || line === "") {
      lines.push({ kind: "context", text: line.slice(1), before: before++, after: after++ })
    } else {
      inHunk = false
    }
  }
  return lines
}

/** The path of a `---` or `+++` line, without the prefix `a/` or `b/`. */
function headerPath(line: string): string {
  return line
    .slice(4)
    .replace(/\t.*$/, "")
    .replace(/^[ab]\//, "")
}
