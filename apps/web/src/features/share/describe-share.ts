import type { SharedTree } from "@docket/client/pages"
import { formatDuration } from "@docket/core/duration"
import type { Session } from "@docket/core/schema"
import { formatCost, formatTokens, totalTokens, treeUsage } from "@docket/core/usage"
import { workSpan } from "@docket/core/work-span"
import { formatCount } from "../../ui/format-count.ts"
import { todoProgress } from "../todo/checklist-item.ts"
import { frozenAt } from "./frozen-at.ts"

/** The figures of a session including its descendants, each as text. */
export function shareFigures(shared: SharedTree, session: Session): string[] {
  const { sessions, todos } = shared.tree
  const isRoot = session.parentID === null
  const work = workSpan(isRoot ? sessions : [session])
  const end = work.end ?? frozenAt(shared)
  const usage = treeUsage(sessions).subtree(session.id)
  const list = todos[session.id] ?? []
  const progress = todoProgress(list)
  return [
    session.model?.modelID ?? "",
    end === null ? "running" : formatDuration(end - work.start),
    `${formatTokens(totalTokens(usage.tokens))} tokens`,
    usage.cost > 0 ? formatCost(usage.cost) : "",
    isRoot && sessions.length > 1 ? formatCount(sessions.length - 1, "task") : "",
    list.length > 0 ? `${progress.done} of ${progress.total} todos` : "",
  ].filter((figure) => figure !== "")
}

/** A sentence about a session, for link previews. */
export function describeShare(shared: SharedTree, session: Session): string {
  const by = shared.share.author === null ? "" : ` by ${shared.share.author}`
  return `A coding session${by}: ${shareFigures(shared, session).join(" · ")}`
}
