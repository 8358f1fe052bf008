/** A step of a plan, from which a todo is made. */
export interface PlanStep {
  /** The first line of the step, without markup. */
  content: string
  /** The text below the first line; empty when there is none. */
  description: string
  /** The check box of the step is ticked. */
  isDone: boolean
}

/** The most that a todo takes (UTF-16 units), and a list at once. */
const most = { content: 2_000, description: 20_000, steps: 200 }

interface FoundStep {
  lines: string[]
  isDone: boolean
}

/** A list of steps under one heading. */
interface Section {
  heading: string
  items: FoundStep[]
}

/** `1.`, `1)`, `- [ ]` and `1. [x]` at the margin. */
const item = /^ {0,1}(?:\d{1,3}[.)][ \t]+(?:\[([ xX])\][ \t]+)?|[-*+][ \t]+\[([ xX])\][ \t]+)(\S.*)$/
const heading = /^ {0,3}#{1,6}[ \t]+(.*?)[ \t#]*$/
/** `## 1. Add the page`, `## Step 1: Add the page` */
const numbered = /^(?:step[ \t]+\d{1,3}[.):]?|\d{1,3}[.):])[ \t]+(?:[-–—:][ \t]*)?(\S.*)$/i
const fence = /^ {0,3}(`{3,}|~{3,})/
/** Sections that say of themselves that they hold the steps. */
const named = /\b(?:steps?|implementation|tasks?|to-?dos?|changes)\b/i

/**
 * The steps of a plan in Markdown: its numbered or check-list items at the margin, or its numbered headings. Of several
 * lists, those under a heading that names them as steps count, else the longest.
 */
export function planSteps(markdown: string): PlanStep[] {
  const { sections, headed } = readSections(markdown)
  const lists = sections.filter(({ items }) => items.length > 0)
  const steps = lists.filter((list) => named.test(list.heading))
  const longest = lists.toSorted((a, b) => b.items.length - a.items.length)[0]?.items ?? []
  const found = headed.length > 1 ? headed : steps.length > 0 ? steps.flatMap(({ items }) => items) : longest
  return found.slice(0, most.steps).flatMap(toStep)
}

function readSections(markdown: string): { sections: Section[]; headed: FoundStep[] } {
  const sections: Section[] = [{ heading: "", items: [] }]
  const headed: FoundStep[] = []
  /** The item that lines go on with, and the numbered heading that they stand under. */
  let open: FoundStep | null = null
  let under: FoundStep | null = null
  /** The signs that opened the block of code which lines are in. */
  let fenced: string | null = null
  for (const line of markdown.split(/\r\n?|\n/)) {
    const fenceSigns = fence.exec(line)?.[1]
    const isCode = fenced !== null || fenceSigns !== undefined
    if (fenceSigns !== undefined) fenced = fenced === null ? fenceSigns : fenceSigns.startsWith(fenced) ? null : fenced
    const title = isCode ? null : heading.exec(line)
    const entry = isCode || title ? null : item.exec(line)
    if (title) {
      sections.push({ heading: title[1] ?? "", items: [] })
      open = null
      const name = numbered.exec(title[1] ?? "")?.[1]
      under = name === undefined ? null : { lines: [name], isDone: false }
      if (under) headed.push(under)
      continue
    }
    under?.lines.push(line)
    if (entry) {
      open = { lines: [entry[3] ?? ""], isDone: (entry[1] ?? entry[2] ?? " ") !== " " }
      sections.at(-1)?.items.push(open)
    } else if (open && (isCode || /^(?:\s|$)/.test(line))) open.lines.push(line)
    // Words at the margin go on with an item only without an empty line before them.
    else if (open && open.lines.at(-1)?.trim() !== "") open.lines.push(line)
    else open = null
  }
  return { sections, headed }
}

function toStep({ lines: [first = "", ...rest], isDone }: FoundStep): PlanStep[] {
  const content = plainWords(first).slice(0, most.content).toWellFormed()
  if (content === "") return []
  return [{ content, description: outdented(rest).slice(0, most.description).toWellFormed(), isDone }]
}

/** Without the marks of emphasis, which a todo does not draw. */
function plainWords(line: string): string {
  return line
    .replace(/(\*\*|__)(?=\S)(.+?)(?<=\S)\1/g, "$2")
    .replace(/\s+/g, " ")
    .trim()
}

/** Without the indent that all lines share, at most 8 characters. */
function outdented(lines: string[]): string {
  const indents = lines.flatMap((line) => (line.trim() === "" ? [] : [line.length - line.trimStart().length]))
  const least = Math.min(...indents, 8)
  return lines
    .map((line) => line.slice(Math.min(least, line.length - line.trimStart().length)).trimEnd())
    .join("\n")
    .trim()
}
