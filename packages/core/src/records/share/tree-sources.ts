import type { Part, Session, Share, ToolPart } from "../../ground/schema/index.ts"
import { readToolCall } from "../../ground/schema/read-tool-call.ts"
import type { Store } from "../../ground/store/index.ts"
import type { LockedSession, ShareSource } from "./public-row.ts"

/** Messages read at a time. */
const pageSize = 200

/** Everything that a share shows of its tree, transcripts in order. */
export async function treeSources(
  store: Pick<Store, "session" | "transcript" | "todo" | "task">,
  { rootID, left }: Pick<Share, "rootID" | "left">,
): Promise<{ tree: VisibleTree; list: ShareSource[] }> {
  const [sessions, todos, tasks] = await Promise.all([
    store.session.tree(rootID),
    store.todo.tree(rootID),
    store.task.tree(rootID),
  ])
  const tree = visibleTree(sessions, left)
  const list: ShareSource[] = []
  for (const value of tree.sessions) {
    list.push({ kind: "session", value })
    const own = todos[value.id]
    if (own !== undefined) list.push({ kind: "todos", sessionID: value.id, value: own })
    let after: string | null = ""
    while (after !== null) {
      const page = await store.transcript.page({ sessionID: value.id, after, limit: pageSize })
      for (const { info, parts } of page.items) {
        list.push({ kind: "message", value: info })
        for (const part of parts) list.push({ kind: "part", value: part })
      }
      after = page.after
    }
  }
  for (const value of tree.locked) list.push({ kind: "locked", value })
  for (const value of tasks) list.push({ kind: "task", value })
  return { tree, list: list.filter((source) => isVisible(tree, source)).map((source) => masked(source, tree)) }
}

/** Tools whose calls are about tasks. */
const taskTools = ["task", "async_task", "async_task_result", "async_task_gather", "async_task_cancel", "task_message"]

/** The row without data of sessions that the share leaves out. */
export function masked(source: ShareSource, { left }: Pick<VisibleTree, "left">): ShareSource {
  return source.kind === "part" ? { kind: "part", value: maskPart(source.value, left) } : source
}

/**
 * The part without data of sessions that are left out: brief, result and title of their tasks, and notices of their
 * ends. What a model wrote about them stays.
 */
function maskPart(part: Part, left: ReadonlySet<string>): Part {
  if (left.size === 0) return part
  if (part.type === "tool" && taskTools.includes(part.tool) && mayConcern(part, left)) return lockedCall(part)
  if (part.type === "text" && part.synthetic === true && mentions(part, left)) {
    const { notice: _, ...rest } = part
    return { ...rest, text: "What this says of a task is not shared." }
  }
  return part
}

/** Whether a call may be about a session that is left out; also true while its task is not known yet. */
function mayConcern(part: ToolPart, left: ReadonlySet<string>): boolean {
  const call = readToolCall(part)
  const isSettled = part.state.status === "completed" || part.state.status === "error"
  const isStarted = (call.tool === "task" || call.tool === "async_task") && call.metadata !== null
  const isTaskKnown = isStarted || isSettled
  return mentions(part, left) || !isTaskKnown
}

function mentions(part: Part, sessions: ReadonlySet<string>): boolean {
  const text = JSON.stringify(part)
  for (const id of sessions) if (text.includes(id)) return true
  return false
}

function lockedCall(part: ToolPart): ToolPart {
  const { state } = part
  const input = lockedInput
  switch (state.status) {
    case "pending":
      return { ...part, state: { ...state, input, raw: "" } }
    case "running":
      return { ...part, state: { status: "running", input, metadata: {}, time: state.time } }
    case "completed":
      return { ...part, state: { ...state, input, output: "", title: "", metadata: {} } }
    case "error":
      return { ...part, state: { status: "error", input, error: "", metadata: {}, time: state.time } }
  }
}

/** Replaces the input of a call whose task is not shared. */
const lockedInput = { description: "Not shared", locked: true }

/** The part of a tree that a share shows. */
export interface VisibleTree {
  /** Root first, then by creation. */
  sessions: readonly Session[]
  /** Sessions that are left out although the session that delegated to them is shown. */
  locked: readonly LockedSession[]
  /** Sessions that are left out, with all their descendants. */
  left: ReadonlySet<string>
  isShown(sessionID: string): boolean
  /** Whether the message has not been undone. */
  isDone(sessionID: string, messageID: string): boolean
  /** By session, the first message that is undone. */
  undone: Readonly<Record<string, string>>
}

/** The tree without sessions that are left out, sessions of an undone part, and all their descendants. */
export function visibleTree(sessions: readonly Session[], leftOut: readonly string[]): VisibleTree {
  const left = withBelow(sessions, leftOut)
  const undoneChildren = withBelow(
    sessions,
    sessions.flatMap(({ revert }) => revert?.children ?? []),
  )
  const shown = sessions.filter(({ id }) => !left.has(id) && !undoneChildren.has(id))
  const ids = new Set(shown.map(({ id }) => id))
  const locked = sessions.flatMap(({ id, parentID }) =>
    left.has(id) && !undoneChildren.has(id) && parentID !== null && ids.has(parentID) ? [{ id, parentID }] : [],
  )
  const undone = Object.fromEntries(shown.flatMap(({ id, revert }) => (revert ? [[id, revert.messageID]] : [])))
  return {
    sessions: shown,
    locked,
    left,
    isShown: (sessionID) => ids.has(sessionID),
    // `~` sorts after every id.
    isDone: (sessionID, messageID) => messageID < (undone[sessionID] ?? "~"),
    undone,
  }
}

/** Whether a share of the tree shows the row. */
export function isVisible({ isShown, isDone }: VisibleTree, source: ShareSource): boolean {
  switch (source.kind) {
    case "session":
      return isShown(source.value.id)
    case "locked":
      return true
    case "todos":
      return isShown(source.sessionID)
    case "message":
      return isShown(source.value.sessionID) && isDone(source.value.sessionID, source.value.id)
    case "part":
      return isShown(source.value.sessionID) && isDone(source.value.sessionID, source.value.messageID)
    case "task": {
      const { parentID, sessionID, messageID } = source.value
      return isShown(sessionID) && (messageID === null || isDone(parentID, messageID))
    }
  }
}

/** The given sessions and all their descendants. One pass is enough, because parents come before their children. */
function withBelow(sessions: readonly Session[], from: readonly string[]): ReadonlySet<string> {
  const found = new Set(from)
  for (const { id, parentID } of sessions) if (parentID !== null && found.has(parentID)) found.add(id)
  return found
}
