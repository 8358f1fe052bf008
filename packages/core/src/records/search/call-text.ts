import { idPrefix, TodoPriority, TodoStatus, type ToolPart } from "../../ground/schema/index.ts"

/**
 * What a call was about, as an excerpt shows it: its file once, the lines of a file without their numbers, and of todos what
 * they say.
 */
export function callText({ tool }: Pick<ToolPart, "tool">, text: string): string {
  const [title = "", ...rest] = text.split("\n")
  const isTwice = title !== "" && (rest[0] === title || rest[0]?.endsWith(`/${title}`) === true)
  const lines = isTwice ? rest.slice(1) : rest
  return [title, ...shownLines(tool, lines)].join("\n")
}

function shownLines(tool: string, lines: readonly string[]): readonly string[] {
  if (tool === "read") return lines.filter((line) => !isNotice(line)).map(withoutNumber)
  // An item stands in what went in and in the list that came out.
  return tool.startsWith("todo") ? [...new Set(lines.flatMap(todoLine))] : lines
}

/** What a todo has one of, and its ids, as a model sends them. */
const choices: ReadonlySet<string> = new Set([...TodoStatus.options, ...TodoPriority.options])
const todoID = new RegExp(`^${idPrefix.todo}_\\w+$`)

/** Of a list that stands there as JSON, a field a line, what each todo says; its end may be cut off. */
function todoLine(line: string): string[] {
  const said = /^\s+"(?:content|description)": ("(?:[^"\\]|\\.)*"),?$/.exec(line)?.[1]
  if (said !== undefined) return [String(JSON.parse(said))]
  const isForm = /^(?:[[\]{},\s]*|\s+".*)$/.test(line)
  return isForm || choices.has(line) || todoID.test(line) ? [] : [line]
}

/** What `read` says beside the text. */
function isNotice(line: string): boolean {
  return /^<\/?(file|content)>$/.test(line) || /^\((Lines \d|End of file|The file is empty).*\)$/.test(line)
}

function withoutNumber(line: string): string {
  return line.replace(/^ *\d+[|\t→:] ?/, "")
}
