import { emphasisIsTooDeep } from "./emphasis-depth.ts"

/** Containers in containers: quotes, lists and footnotes. What people write has a few. */
const deepestContainer = 32
/** Up to this depth a line of containers costs nothing to speak of; each level more costs a parser all those before it. */
const easyContainers = 4
const mostContainerWork = 10_000
/** Open square brackets, which are links in links and images when they close. */
const deepestBracket = 100
/** Closing brackets that close nothing: a parser looks for what each of them closes. */
const mostStrayBrackets = 1_000
/** Characters that references to a long address may make. */
const mostReferred = 1_000_000
/** A table is filled up to its widest row: short rows of a wide one make cells by themselves. */
const mostCells = 20_000

const blank = /^[\s>]*$/
/** What stands under the head of a table, within any containers. */
const underTableHead = /^[\s>|:-]*-[\s>|:-]*$/
const containerMark = /[ \t]+|>|(?:[-+*]|\d{1,9}[.)])(?=\s|$)|\[\^[^\]\s]+\]:/y

/**
 * Would this Markdown nest so deep, or make so much of so little, that parsing or drawing it holds up or breaks a page?
 * Found before anything is parsed, in one pass over the characters; marks in code inside of a list count as well.
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

/** Tells of one line after another whether it belongs to a block of code that stands in no container. */
function createCodeWatch(): (line: string) => boolean {
  let open: string | null = null
  return (line) => {
    if (open === null) {
      open = /^ {0,3}(?:(`{3,})[^`]*$|(~{3,}))/.exec(line)?.slice(1).find(Boolean) ?? null
      return open !== null
    }
    const mark = /^ {0,3}(`{3,}|~{3,})[ \t\r]*$/.exec(line)?.[1]
    if (mark?.startsWith(open)) open = null
    return true
  }
}

/** At most so many containers are open where the marks of a line end: a mark each, and two columns for one of an earlier line. */
function containersOf(line: string): number {
  let marks = 0
  let columns = 0
  let deepest = 0
  for (let at = 0; at < line.length; at = containerMark.lastIndex) {
    containerMark.lastIndex = at
    const mark = containerMark.exec(line)?.[0]
    if (mark === undefined) break
    if (mark.trim() === "") columns += widthOf(mark)
    else {
      // One space belongs to the mark before it.
      deepest = ++marks + Math.max(0, columns - marks) / 2
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

/** At most so many characters of addresses that stand once and are referred to many times. */
function referred(text: string): number {
  const longest = text.match(/^[\s>]*\[[^\]]+\]:.*(?:\n.+)*/gm)?.reduce((most, { length }) => Math.max(most, length), 0)
  return longest === undefined ? 0 : longest * text.split("[").length
}

function cellsOf(lines: readonly string[]): number {
  if (!lines.some((line) => underTableHead.test(line))) return 0
  return lines.length * lines.reduce((most, line) => Math.max(most, line.split("|").length), 0)
}
