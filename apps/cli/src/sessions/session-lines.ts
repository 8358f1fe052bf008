import type { DocketOutputs } from "@docket/client"
import { awaitedText } from "@docket/core/awaited-text"
import { missingSessionText } from "@docket/core/missing-session-text"
import { visibleText } from "@docket/core/rule"
import type { AwaitedHost, Session } from "@docket/core/schema"
import { shortTitle } from "@docket/core/session-title"
import { formatUsage, totalTokens, treeUsage } from "@docket/core/usage"
import { treeStatuses } from "@docket/core/work-status"
import { deskLink } from "../desk-link.ts"
import { permissionLine } from "../run/permission-text.ts"
import { todoLines } from "../run/tool-line.ts"
import { UsageError } from "../usage-error.ts"
import { statusWord } from "./session-line.ts"

type Tree = Pick<DocketOutputs["session"]["tree"], "sessions" | "tasks" | "todos" | "permissions">

/** A session for people: what it does, its todos, the sessions below it, and what waits for an answer. */
export function sessionLines(
  tree: Tree,
  { sessionID, desk, awaited }: { sessionID: string; desk: string; awaited: AwaitedHost | null },
): string[] {
  const session = tree.sessions.find(({ id }) => id === sessionID)
  if (session === undefined) throw new UsageError(missingSessionText(sessionID))
  const statuses = treeStatuses(tree, awaited !== null)
  const agents = new Map(tree.sessions.map(({ id, agent }) => [id, agent]))
  const stateOf = ({ id }: Session) => statusWord(statuses.get(id) ?? null)
  const { whole } = treeUsage(tree.sessions)
  const model = session.model === null ? [] : [`${session.model.providerID}/${session.model.modelID}`]
  const used = formatUsage(totalTokens(whole.tokens), whole.cost) || "nothing used"
  const lane = (child: Session, depth: number): string[] => [
    `${"  ".repeat(depth)}${child.agent}  ${shortTitle(child)}  ${stateOf(child)}  ${child.id}`,
    ...below(child, depth + 1),
  ]
  const below = ({ id }: Session, depth: number): string[] =>
    tree.sessions.filter(({ parentID }) => parentID === id).flatMap((child) => lane(child, depth))
  const todos = tree.todos[sessionID] ?? []
  const waiting = tree.permissions.filter(({ status }) => status === "pending")
  return [
    session.title,
    [stateOf(session), session.agent, ...model, used].join("  "),
    session.directory,
    deskLink(desk, session) ?? "",
    ...(awaited === null ? [] : [awaitedLine(awaited)]),
    ...(todos.length > 0 ? todoLines(todos) : []),
    ...below(session, 0),
    ...waiting.map(
      (request) => `needs you: ${permissionLine(request, { agent: agents.get(request.sessionID) ?? "" })}`,
    ),
  ].map(visibleText)
}

function awaitedLine(host: AwaitedHost): string {
  const { what, remedy, command } = awaitedText(host)
  return visibleText(["waits", what, remedy, command].filter((part) => part !== null).join(" "))
}
