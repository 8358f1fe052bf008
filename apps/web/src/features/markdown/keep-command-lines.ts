const fence = /^ {0,3}(`{3,}|~{3,})/
const command = /^\/(?:todo|mem|schedule|agent|parallel)(?:\s|$)/

/**
 * Keeps the line breaks of paragraphs that contain a command line (`/todo add milk`). Markdown would join them, but
 * each is a separate line to Docket. Code and other paragraphs stay as they are.
 */
export function keepCommandLines(text: string): string {
  if (!text.includes("/")) return text
  const lines = text.split("\n")
  // The signs that opened the code fence around the line; null outside of one.
  let open: string | null = null
  // Index of the first line of the current paragraph.
  let start = 0
  for (const [at, line] of lines.entries()) {
    const fenceSigns = fence.exec(line)?.[1]
    if (fenceSigns === undefined && line.trim() !== "") continue
    if (open === null) breakLines(lines, start, at)
    if (fenceSigns !== undefined && open === null) open = fenceSigns
    else if (open !== null && fenceSigns?.startsWith(open) && line.trim() === fenceSigns) open = null
    start = at + 1
  }
  if (open === null) breakLines(lines, start, lines.length)
  return lines.join("\n")
}

/** If one line of a paragraph is a command, ends each line but the last with a hard break. */
function breakLines(lines: string[], from: number, to: number): void {
  if (!lines.slice(from, to).some((line) => command.test(line))) return
  for (let at = from; at < to - 1; at++) lines[at] = `${lines[at]?.trimEnd()}  `
}
