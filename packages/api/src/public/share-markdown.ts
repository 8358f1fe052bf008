import type { UseCases } from "@docket/core"
import type { MessageWithParts, Part, Session, ShareInfo, Todo } from "@docket/core/schema"
import { shortTitle } from "@docket/core/session-title"
import { formatCost, formatTokens, totalTokens } from "@docket/core/usage"
import { codeBlock, inertMarkdown, plainWords } from "./inert-markdown.ts"
import { inTreeOrder, sharedPages } from "./shared-pages.ts"
import { type SharedTree, sharedTree } from "./shared-tree.ts"

/** The whole tree of a share as a document, in pieces: sessions in the order of the tree, each with its transcript. */
export async function* shareMarkdown(runtime: UseCases, share: ShareInfo): AsyncGenerator<string> {
  const shared = await sharedTree(runtime, share)
  const sessions = inTreeOrder(shared.tree.sessions)
  yield head(shared, sessions)
  for (const session of sessions) {
    yield sessionHead(session, shared.tree.todos[session.id] ?? [])
    for await (const page of sharedPages(runtime, share, session.id)) yield page.map(messageText).join("")
  }
}

function head({ share, summary, locked }: SharedTree, sessions: readonly Session[]): string {
  const [root] = sessions
  const facts = [
    ["Author", share.author],
    ["Model", summary.models.map(({ modelID }) => modelID).join(", ")],
    ["Started", root === undefined ? null : new Date(root.time.created).toISOString()],
    ["Tokens", formatTokens(totalTokens(summary.tokens))],
    ["Cost", summary.cost > 0 ? formatCost(summary.cost) : null],
    ["Copy", share.mode === "frozen" ? `frozen at ${new Date(share.time.created).toISOString()}` : "live"],
    ["Not shared", locked.length > 0 ? `${locked.length} of the delegated sessions` : null],
  ]
  const list = facts.flatMap(([name, value]) => (value ? [`- ${name}: ${plainWords(value)}`] : []))
  const tree = sessions.map((session) => `${"  ".repeat(session.depth)}- ${titleOf(session)}`)
  return `# ${root === undefined ? "Session" : titleOf(root)}\n\n${list.join("\n")}\n\n${tree.join("\n")}\n`
}

function sessionHead(session: Session, todos: readonly Todo[]): string {
  const list = todos.map(({ content, status }) => {
    const mark = status === "completed" ? "x" : " "
    return `- [${mark}] ${plainWords(content)}${status === "cancelled" || status === "in_progress" ? ` (${status.replace("_", " ")})` : ""}`
  })
  const agent = plainWords(session.agent)
  return `\n## ${titleOf(session)}\n\nAgent: ${agent}\n${list.length === 0 ? "" : `\n${list.join("\n")}\n`}`
}

function titleOf(session: Session): string {
  return plainWords(shortTitle(session))
}

function messageText({ info, parts }: MessageWithParts): string {
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
