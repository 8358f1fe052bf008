import { plainWords } from "../../ground/message/inert-markdown.ts"
import { messageText, sessionHead } from "../../ground/message/session-markdown.ts"
import { totalTokens } from "../../ground/message/token-usage.ts"
import { formatCost, formatTokens } from "../../ground/message/usage.ts"
import type { Session } from "../../ground/schema/index.ts"
import { shortTitle } from "../session/session-title.ts"
import type { FileTree } from "./file-tree.ts"

/** A tree as a document for people, in pieces: each session with its todo list and its transcript. */
export async function* writeMarkdown(tree: FileTree): AsyncGenerator<string> {
  yield documentHead(tree)
  for (const { session, todos } of tree.sessions) {
    yield sessionHead(session, titleOf(session), todos)
    for await (const page of tree.messages(session.id)) yield page.map(messageText).join("")
  }
}

function documentHead({ head, sessions }: FileTree): string {
  const all = sessions.map(({ session }) => session)
  const [root] = all
  const tokens = all.reduce((sum, session) => sum + totalTokens(session.tokens), 0)
  const cost = all.reduce((sum, session) => sum + session.cost, 0)
  const facts = [
    ["Started", root === undefined ? null : new Date(root.time.created).toISOString()],
    ["Tokens", formatTokens(tokens)],
    ["Cost", cost > 0 ? formatCost(cost) : null],
    ["Secrets", head.sanitized ? "what was found is replaced" : null],
  ]
  const list = facts.flatMap(([name, value]) => (value ? [`- ${name}: ${plainWords(value)}`] : []))
  const outline = all.map((session) => `${"  ".repeat(session.depth)}- ${titleOf(session)}`)
  return `# ${root === undefined ? "Session" : titleOf(root)}\n\n${list.join("\n")}\n\n${outline.join("\n")}\n`
}

function titleOf(session: Session): string {
  return plainWords(shortTitle(session))
}
