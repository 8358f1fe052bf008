import { basename } from "node:path"
import type { TreeSnapshot } from "@docket/core"
import type { Caller, FeedItem, Message, ModelRef, Session, TaskSummary, TokenUsage } from "@docket/core/schema"
import { treeUsage } from "@docket/core/usage"

/** What the head of a shared page says about the whole tree. */
export interface ShareSummary {
  models: ModelRef[]
  /** From the first session's start to the last change, in ms. */
  durationMs: number
  /** USD. */
  cost: number
  tokens: TokenUsage
}

/** A session without what concerns only its owner: the rules, who has read it, and where the project lies on the disk. */
export function publicSession(session: Session): Session {
  const { revert } = session
  const shown = revert && { ...withoutCaller(revert), files: { ...revert.files, paths: [], left: [], note: null } }
  const { read: _read, ...rest } = session
  return withoutCaller({ ...rest, directory: basename(session.directory), permission: [], revert: shown })
}

export function publicMessage(message: Message): Message {
  return message.role === "user" ? withoutCaller(message) : message
}

/** Who did it is none of a reader's business. */
export function withoutCaller<T extends { by?: Caller | undefined }>(value: T): T {
  const { by: _, ...rest } = value
  // `by` may be left out of whatever may have one.
  return rest as T
}

/** The tree without permission requests and without prompts that wait in the queue. */
export function publicTree(tree: TreeSnapshot): TreeSnapshot {
  return {
    ...tree,
    sessions: tree.sessions.map(publicSession),
    permissions: [],
    turns: [],
    tasks: tree.tasks.map(publicTask),
  }
}

/** A task without paths of the owner's disk, and without who allowed what. */
function publicTask(task: TaskSummary): TaskSummary {
  const moments = task.moments?.map(({ kind, from, until }) => ({ kind, from, until }))
  return withoutCaller({ ...task, ...(moments && { moments }), resultPath: null, worktree: null })
}

/** The item as a link holder may see it, or null when it is none of their business. */
export function publicItem(item: FeedItem, rootID: string): FeedItem | null {
  if (item.rootID !== rootID) return null
  switch (item.type) {
    case "session.created":
    case "session.updated":
      return { ...item, properties: { info: publicSession(item.properties.info) } }
    case "task.updated":
      return { ...item, properties: { task: publicTask(item.properties.task) } }
    case "message.updated":
      return { ...item, properties: { info: publicMessage(item.properties.info) } }
    case "session.deleted":
    case "session.error":
    case "message.removed":
    case "message.part.updated":
    case "message.part.removed":
    case "message.part.delta":
    case "todo.updated":
    case "resync":
      return item
    case "session.status":
      // Why the owner's database does not take something is none of a reader's business.
      return item.properties.status.type === "storing" ? null : item
    case "permission.asked":
    case "permission.replied":
    case "turn.updated":
    // What the owners say of the work is theirs.
    case "review.thread.updated":
    case "review.comment.updated":
    case "review.verdict.updated":
    case "review.viewed.updated":
    case "session.listed":
    case "todo.list.changed":
    case "share.updated":
    case "todo.item.updated":
    case "todo.item.removed":
    case "memory.updated":
    case "memory.removed":
    case "schedule.updated":
    case "schedule.removed":
    case "schedule.run.updated":
    case "project.updated":
    case "config.updated":
      return null
    default:
      return item satisfies never
  }
}

export function summarize(sessions: Session[]): ShareSummary {
  const models = new Map<string, ModelRef>()
  for (const { model } of sessions) if (model) models.set(`${model.providerID}/${model.modelID}`, model)
  const start = Math.min(...sessions.map((it) => it.time.created))
  const end = Math.max(...sessions.map((it) => it.time.updated))
  const { cost, tokens } = treeUsage(sessions).whole
  return {
    models: [...models.values()],
    durationMs: sessions.length > 0 ? end - start : 0,
    cost,
    tokens,
  }
}
