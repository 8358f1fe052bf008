import type { TodoStatus } from "@docket/core/schema"

/** A line of a command's result, as people read it. */
export type ResultLine =
  | { kind: "todo"; number: number; status: TodoStatus; content: string; everyone: boolean }
  | { kind: "done" | "error" | "text"; text: string }

const todoLine = /^(?:▶ )?#(\d+) \[(pending|in_progress)\] (.*?)( \(tenant-wide\))?$/
const words: Record<string, string> = { in_progress: "in progress", canceled: "cancelled" }

/** Takes a result apart: items of a list, what was done, what failed, and other lines with their breaks. */
export function resultLines(body: string): ResultLine[] {
  const lines: ResultLine[] = []
  for (const line of body.split("\n")) {
    const [, number, status, content = "", everyone] = todoLine.exec(line) ?? []
    if (number !== undefined && (status === "pending" || status === "in_progress")) {
      lines.push({ kind: "todo", number: Number(number), status, content, everyone: everyone !== undefined })
      continue
    }
    const [, mark, said = ""] = /^(OK|ERR|SKIPPED): (.*)$/.exec(line) ?? []
    if (mark === "OK") lines.push({ kind: "done", text: capital(said.replace(/^\w+/, (word) => words[word] ?? word)) })
    else if (mark !== undefined) lines.push({ kind: "error", text: capital(said) })
    else addText(lines, line)
  }
  return lines
}

/** Neighbouring lines of text are one block, so that they keep their breaks. */
function addText(lines: ResultLine[], line: string): void {
  const last = lines.at(-1)
  if (last?.kind === "text") last.text += `\n${line}`
  else lines.push({ kind: "text", text: line })
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
