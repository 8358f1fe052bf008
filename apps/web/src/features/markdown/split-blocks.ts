/** A line that begins or ends a block of code. */
export const fence = /^ {0,3}(`{3,}|~{3,})/
const listItem = /^ {0,3}(?:[-*+]|\d{1,9}[.)])(?:\s|$)/

/**
 * Cuts Markdown into blocks that can be rendered one by one: at blank lines outside code fences, never
 * inside a list or an indented continuation. While text is appended only the last block can change, so
 * the others stay rendered. Text with footnotes or link definitions stays whole: they reach across blocks.
 */
export function splitBlocks(text: string): string[] {
  if (/^ {0,3}\[[^\]]+\]:\s/m.test(text)) return [text]
  const lines = text.split("\n")
  const blocks: string[] = []
  let current: string[] = []
  const followers = nextWritten(lines)
  let open: string | null = null
  for (const [index, line] of lines.entries()) {
    const mark = fence.exec(line)?.[1]
    if (open === null && mark) open = mark
    else if (open !== null && mark?.startsWith(open) && line.trim() === mark) open = null
    if (open === null && line.trim() === "" && current.length > 0 && endsBlock(current, followers[index])) {
      blocks.push(current.join("\n"))
      current = []
    } else if (line.trim() !== "" || current.length > 0) {
      current.push(line)
    }
  }
  if (current.some((line) => line.trim() !== "")) blocks.push(current.join("\n"))
  return blocks
}

/** Of each line the next one that is not blank. */
function nextWritten(lines: readonly string[]): (string | undefined)[] {
  const followers = new Array<string | undefined>(lines.length)
  let next: string | undefined
  for (let index = lines.length - 1; index >= 0; index--) {
    followers[index] = next
    if (lines[index]?.trim() !== "") next = lines[index]
  }
  return followers
}

/** Does a blank line end the block, given what follows it? */
function endsBlock(block: readonly string[], next: string | undefined): boolean {
  if (next === undefined) return false
  if (/^(?: {2,}|\t)/.test(next)) return false
  return !(listItem.test(block[0] ?? "") && listItem.test(next))
}
