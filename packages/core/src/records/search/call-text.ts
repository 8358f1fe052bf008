import { idPrefix, TodoPriority, TodoStatus, type ToolPart } from "../../ground/schema/index.ts"

/**
 * The text of a call for an excerpt: its file name once, file lines without line numbers, and only the contents of
 * todos.
 */
export function callText({ tool }: Pick<ToolPart, "tool">, text: string): string {
  const [title = "", ...rest] = text.split("\n")
  const isTwice = title !== "" && (rest[0] === title || rest[0]?.endsWith(`/${title}`) === true)
  const lines = isTwice ? rest.slice(1) : rest
  return [title, ...shownLines(tool, lines)].join("\n")
}

function shownLines(tool: string, lines: readonly string[]): readonly string[] {
  if (tool === "read") return lines.filter((line) => !isNotice(line)).map(withoutNumber)
  // An item appears in the input and in the output list.
  return tool.startsWith("todo") ? [...new Set(lines.flatMap(todoLine))] : lines
}

/** Statuses, priorities and ids of todos, as models send them. */
const choices: ReadonlySet<string> = new Set([...TodoStatus.options, ...TodoPriority.options])
const todoID = new RegExp(`^${idPrefix.todo}_\\w+$`)

/** The contents of todos in a JSON list with one field per line; the end of the list may be cut off. */
function todoLine(line: string): string[] {
  const said = /^\s+"(?:content|description)": ("(?:[^"\\]|\\.)*"),?$/.exec(line)?.[1]
  if (said !== undefined) return [String(JSON.parse(said))]
  const isJsonSyntax = /^(?:[[\]{},\s]*|\s+".*)$/.test(line)
  return isJsonSyntax || choices.has(line) || todoID.test(line) ? [] : [line]
}

/** Whether `read` added the line to the text of the file. */
function isNotice(line: string): boolean {
  return /^<\/?(file|content)>$/.test(line) || /^\((Lines \d|End of file|The file is empty).*\)$/.test(line)
}

function withoutNumber(line: string): string {
  return line.replace(/^ *\d+[|\t→:] ?/, "")
}
