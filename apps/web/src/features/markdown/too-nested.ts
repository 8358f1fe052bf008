import { emphasisIsTooDeep } from "./emphasis-depth.ts"

/** Maximum depth of nested containers: quotes, lists and footnotes. People use a few levels. */
const deepestContainer = 32
/** Nesting up to this depth is cheap to parse. Beyond it, the cost of a line grows with the square of its depth. */
const easyContainers = 4
/** Maximum sum of that cost over all lines. */
const mostContainerWork = 10_000
/** Maximum number of open square brackets, which become nested links and images when they close. */
const deepestBracket = 100
/** Maximum number of unmatched closing brackets: a parser searches a partner for each of them. */
const mostStrayBrackets = 1_000
/** Maximum number of characters that references to long addresses may expand to. */
const mostReferred = 1_000_000
/** Maximum number of table cells. The parser fills short rows up to the widest row, so a small text can make many. */
const mostCells = 20_000

const blank = /^[\s>]*$/
/** The line under a table head, within any containers. */
const underTableHead = /^[\s>|:-]*-[\s>|:-]*$/
const containerSign = /[ \t]+|>|(?:[-+*]|\d{1,9}[.)])(?=\s|$)|\[\^[^\]\s]+\]:/y

/**
 * Whether parsing or rendering this Markdown would block or break the page, because it nests too deep or expands too
 * much. This is decided before parsing, in one pass over the characters; marks in code within lists count too.
 */
export function isTooNested(text: string): boolean {
  const isInCode = createCodeWatch()
  if (referred(text) > mostReferred) return true
  const paragraph: string[] = []
  let work = 0
  for (const line of text.split("\n")) {
    if (isInCode(line)) continue
    const containers = containersOf(line)
    work += Math.max(0, containers - easyContainers) ** 2
    if (containers > deepestContainer || work > mostContainerWork) return true
    if (!blank.test(line)) paragraph.push(line)
    else if (isTooRich(paragraph.splice(0))) return true
  }
  return isTooRich(paragraph)
}

function isTooRich(lines: readonly string[]): boolean {
  if (lines.length === 0) return false
  const text = lines.join("\n")
  return bracketsAreTooDeep(text) || cellsOf(lines) > mostCells || emphasisIsTooDeep(text)
}

/**
 * Returns a function that is called line by line: whether the line belongs to a code block outside of any container.
 */
function createCodeWatch(): (line: string) => boolean {
  // The signs that opened the code fence around the line; null outside of one.
  let open: string | null = null
  return (line) => {
    if (open === null) {
      open = /^ {0,3}(?:(`{3,})[^`]*$|(~{3,}))/.exec(line)?.slice(1).find(Boolean) ?? null
      return open !== null
    }
    const sign = /^ {0,3}(`{3,}|~{3,})[ \t\r]*$/.exec(line)?.[1]
    if (sign?.startsWith(open)) open = null
    return true
  }
}

/** Upper bound for the open containers after a line's marks: one per mark, and one per two columns of indentation. */
function containersOf(line: string): number {
  let containers = 0
  let columns = 0
  let deepest = 0
  for (let at = 0; at < line.length; at = containerSign.lastIndex) {
    containerSign.lastIndex = at
    const sign = containerSign.exec(line)?.[0]
    if (sign === undefined) break
    if (sign.trim() === "") columns += widthOf(sign)
    else {
      // One space belongs to the preceding mark.
      deepest = ++containers + Math.max(0, columns - containers) / 2
    }
  }
  return deepest
}

function widthOf(space: string): number {
  let width = 0
  for (const character of space) width += character === "\t" ? 4 : 1
  return width
}

function bracketsAreTooDeep(text: string): boolean {
  let open = 0
  let stray = 0
  for (const character of text) {
    if (character === "[") open += 1
    else if (character === "]" && open > 0) open -= 1
    else if (character === "]") stray += 1
    if (open > deepestBracket || stray > mostStrayBrackets) return true
  }
  return false
}

/** Upper bound for the characters of addresses that are defined once and referred to many times. */
function referred(text: string): number {
  const longest = text.match(/^[\s>]*\[[^\]]+\]:.*(?:\n.+)*/gm)?.reduce((most, { length }) => Math.max(most, length), 0)
  return longest === undefined ? 0 : longest * text.split("[").length
}

function cellsOf(lines: readonly string[]): number {
  if (!lines.some((line) => underTableHead.test(line))) return 0
  return lines.length * lines.reduce((most, line) => Math.max(most, line.split("|").length), 0)
}
