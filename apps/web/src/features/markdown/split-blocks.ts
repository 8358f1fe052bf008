/** A line that begins or ends a block of code. */
export const fence = /^ {0,3}(`{3,}|~{3,})/
const listItem = /^ {0,3}(?:[-*+]|\d{1,9}[.)])(?:\s|$)/

/**
 * Cuts Markdown into blocks that render one by one: at blank lines, but not in code fences, lists or indented
 * continuations. Appended text changes only the last block, so the others stay rendered. A text with footnotes or link
 * definitions stays whole, because they refer across blocks.
 */
export function splitBlocks(text: string): string[] {
  if (/^ {0,3}\[[^\]]+\]:\s/m.test(text)) return [text]
  const lines = text.split("\n")
  const blocks: string[] = []
  let current: string[] = []
  const followers = nextWritten(lines)
  // The signs that opened the code fence around the line; null outside of one.
  let open: string | null = null
  for (const [index, line] of lines.entries()) {
    const fenceSigns = fence.exec(line)?.[1]
    if (open === null && fenceSigns) open = fenceSigns
    else if (open !== null && fenceSigns?.startsWith(open) && line.trim() === fenceSigns) open = null
    const isBlank = line.trim() === ""
    const isCut = open === null && isBlank && current.length > 0 && endsBlock(current, followers[index])
    if (isCut) {
      blocks.push(current.join("\n"))
      current = []
    } else if (!isBlank || current.length > 0) {
      current.push(line)
    }
  }
  if (current.some((line) => line.trim() !== "")) blocks.push(current.join("\n"))
  return blocks
}

/** For each line, the next line that is not blank. */
function nextWritten(lines: readonly string[]): (string | undefined)[] {
  const followers = new Array<string | undefined>(lines.length)
  let next: string | undefined
  for (let index = lines.length - 1; index >= 0; index--) {
    followers[index] = next
    if (lines[index]?.trim() !== "") next = lines[index]
  }
  return followers
}

/** Whether a blank line ends the block, given the next line. */
function endsBlock(block: readonly string[], next: string | undefined): boolean {
  // Text that continues the block may still be appended.
  if (next === undefined) return false
  if (/^(?: {2,}|\t)/.test(next)) return false
  return !(listItem.test(block[0] ?? "") && listItem.test(next))
}
