import type { UseCases } from "@docket/core"
import { messageText, plainWords, sessionHead } from "@docket/core/markdown"
import type { Session, ShareInfo } from "@docket/core/schema"
import { shortTitle } from "@docket/core/session-title"
import { formatCost, formatTokens, totalTokens } from "@docket/core/usage"
import { inTreeOrder, sharedPages } from "./shared-pages.ts"
import { type SharedTree, sharedTree } from "./shared-tree.ts"

/** The whole tree of a share as a document, in pieces: sessions in the order of the tree, each with its transcript. */
export async function* shareMarkdown(runtime: UseCases, share: ShareInfo): AsyncGenerator<string> {
  const shared = await sharedTree(runtime, share)
  const sessions = inTreeOrder(shared.tree.sessions)
  yield head(shared, sessions)
  for (const session of sessions) {
    yield sessionHead(session, titleOf(session), shared.tree.todos[session.id] ?? [])
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

function titleOf(session: Session): string {
  return plainWords(shortTitle(session))
}
