import type { ToolPart } from "../schema/index.ts"

/** What a call was about, as an excerpt shows it: its file once, and the lines of a file without their numbers. */
export function callText({ tool }: Pick<ToolPart, "tool">, text: string): string {
  const [title = "", ...rest] = text.split("\n")
  const isTwice = title !== "" && (rest[0] === title || rest[0]?.endsWith(`/${title}`) === true)
  const lines = isTwice ? rest.slice(1) : rest
  return [title, ...(tool === "read" ? lines.filter((line) => !isNotice(line)).map(withoutNumber) : lines)].join("\n")
}

/** What `read` says beside the text. */
function isNotice(line: string): boolean {
  return /^<\/?(file|content)>$/.test(line) || /^\((Lines \d|End of file|The file is empty).*\)$/.test(line)
}

function withoutNumber(line: string): string {
  return line.replace(/^ *\d+[|\t→:] ?/, "")
}
