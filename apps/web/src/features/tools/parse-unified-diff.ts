export interface DiffLine {
  kind: "add" | "remove" | "context" | "hunk"
  text: string
  /** 1-based line numbers; null on the side where the line does not exist. */
  before: number | null
  after: number | null
}

const hunkHeader = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@(.*)$/

/** Lines of a unified diff with their numbers. File headers and `\ No newline` markers are left out. */
export function parseUnifiedDiff(patch: string): DiffLine[] {
  const lines: DiffLine[] = []
  let before = 0
  let after = 0
  let inHunk = false
  for (const line of patch.replace(/\n$/, "").split("\n")) {
    const header = hunkHeader.exec(line)
    if (header) {
      before = Number(header[1])
      after = Number(header[2])
      inHunk = true
      lines.push({ kind: "hunk", text: (header[3] ?? "").trim(), before, after })
    } else if (!inHunk || line.startsWith("\\")) {
      // A line of the file header, or a `\ No newline` marker.
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
