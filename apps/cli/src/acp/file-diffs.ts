import path from "node:path"
import type { ToolCallContent, ToolCallLocation } from "@agentclientprotocol/sdk/unstable"
import type { MetadataOf } from "@docket/core/tool-metadata"

type FileChange = Pick<MetadataOf<"edit">, "file" | "diff" | "created" | "diffOmitted">

interface Hunk {
  /** The first line in the new file, from 1. */
  line: number
  before: string[]
  after: string[]
}

/** A change of a file as diffs that editors draw, one for each hunk; none when the diff was too large to keep. */
export function fileDiffs({ file, diff, created }: FileChange, root: string): ToolCallContent[] {
  return hunksOf(diff).map(({ before, after }) => ({
    type: "diff",
    path: path.resolve(root, file),
    oldText: created ? null : textOf(before),
    newText: textOf(after),
  }))
}

/** Where the change begins. */
export function changeLocation({ file, diff }: FileChange, root: string): ToolCallLocation {
  const [first] = hunksOf(diff)
  return { path: path.resolve(root, file), ...(first !== undefined && { line: first.line }) }
}

/** The hunks of the unified diff of one file, with the lines around each change on both sides. */
function hunksOf(diff: string): Hunk[] {
  const hunks: Hunk[] = []
  for (const line of diff.split("\n")) {
    const start = /^@@ -\d+(?:,\d+)? \+(\d+)/.exec(line)
    if (start !== null) hunks.push({ line: Math.max(1, Number(start[1])), before: [], after: [] })
    const hunk = hunks.at(-1)
    if (start !== null || hunk === undefined) continue
    if (line.startsWith("-") || line.startsWith(" ")) hunk.before.push(line.slice(1))
    if (line.startsWith("+") || line.startsWith(" ")) hunk.after.push(line.slice(1))
  }
  return hunks
}

function textOf(lines: string[]): string {
  return lines.map((line) => `${line}\n`).join("")
}
