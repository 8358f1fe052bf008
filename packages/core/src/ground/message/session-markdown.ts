import type { MessageWithParts, Part, Session, Todo } from "../schema/index.ts"
import { codeBlock, inertMarkdown, plainWords } from "./inert-markdown.ts"

/** The heading of a session in a document of its tree, with its todo list. `title` is Markdown. */
export function sessionHead(session: Session, title: string, todos: readonly Todo[]): string {
  const list = todos.map(({ content, status }) => {
    const box = status === "completed" ? "x" : " "
    return `- [${box}] ${plainWords(content)}${status === "cancelled" || status === "in_progress" ? ` (${status.replace("_", " ")})` : ""}`
  })
  const agent = plainWords(session.agent)
  return `\n## ${title}\n\nAgent: ${agent}\n${list.length === 0 ? "" : `\n${list.join("\n")}\n`}`
}

/** A message with what can be read of its parts; empty when nothing can. */
export function messageText({ info, parts }: MessageWithParts): string {
  const texts = parts.flatMap((part) => partText(part) ?? [])
  if (texts.length === 0) return ""
  const who = info.role === "user" ? "Prompt" : plainWords(info.agent)
  return `\n### ${who}\n\n${texts.join("\n\n")}\n`
}

function partText(part: Part): string | null {
  switch (part.type) {
    case "text":
      return part.text.trim() === "" ? null : inertMarkdown(part.text)
    case "reasoning":
      return part.text.trim() === "" ? null : `**Reasoning**\n\n${inertMarkdown(part.text)}`
    case "tool": {
      const { state } = part
      const title = "title" in state && state.title ? ` ${plainWords(state.title)}` : ""
      const input = codeBlock(JSON.stringify(state.input ?? null, null, 2), "json")
      const said = state.status === "completed" ? state.output : state.status === "error" ? state.error : ""
      const output = said.trim() === "" ? "" : `\n\n${codeBlock(said)}`
      return `**${plainWords(part.tool)}**${title} (${state.status})\n\n${input}${output}`
    }
    case "file":
      return `File: ${plainWords(part.filename ?? part.mime)}`
    default:
      return null
  }
}
