/** Maximum depth of nested emphasis. */
const deepest = 32
/** Maximum number of unmatched marks in a paragraph: a parser searches a partner for each of them. */
const mostStray = 1_000

interface Opener {
  sign: string
  /** Characters of this run that are not closed yet. */
  left: number
  /** Nesting depth of its content. */
  height: number
}

/**
 * Whether emphasis in this paragraph is nested too deep, or has too many unmatched marks. Pairs marks roughly like
 * CommonMark, in linear time; a mark that may be unmatched counts as unmatched.
 */
export function emphasisIsTooDeep(text: string): boolean {
  const openers: Opener[] = []
  let stray = 0
  for (const { 0: run, index } of text.matchAll(/\*+|_+|~+/g)) {
    const before = kindOf(text[index - 1])
    const after = kindOf(text[index + run.length])
    const opens = after === "word" || (after === "sign" && before !== "word")
    const closes = before === "word" || (before === "sign" && after !== "word")
    if (opens && closes) {
      // Within a snake_case_name an underscore is not a mark.
      const isInName = run[0] === "_" && before === "word" && after === "word"
      if (!isInName) stray += run.length
    } else if (opens) openers.push({ sign: run[0] ?? "", left: run.length, height: 0 })
    else if (closes) {
      const closed = close(openers, run)
      if (closed.height > deepest) return true
      stray += closed.stray
    }
    if (stray + openers.length > mostStray) return true
  }
  return openers.reduce((sum, { left }) => sum + left, stray) > mostStray
}

/** Pairs a closing run with earlier openers. Openers between a pair become unmatched. */
function close(openers: Opener[], run: string): { height: number; stray: number } {
  let left = run.length
  let height = 0
  let stray = 0
  while (left > 0) {
    const at = openers.findLastIndex(({ sign }) => sign === run[0])
    const opener = openers[at]
    if (opener === undefined) return { height, stray: stray + left }
    for (const lost of openers.splice(at + 1)) {
      stray += lost.left
      opener.height = Math.max(opener.height, lost.height)
    }
    const paired = Math.min(opener.left, left)
    opener.left -= paired
    left -= paired
    // Two marks make one level (`**strong**`).
    opener.height += Math.ceil(paired / 2)
    height = opener.height
    if (opener.left > 0) continue
    openers.pop()
    const around = openers.at(-1)
    if (around !== undefined) around.height = Math.max(around.height, height)
  }
  return { height, stray }
}

function kindOf(character: string | undefined): "space" | "sign" | "word" {
  if (character === undefined || /\s/.test(character)) return "space"
  return /[\p{P}\p{S}]/u.test(character) ? "sign" : "word"
}
