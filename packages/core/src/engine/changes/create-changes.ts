import { momentOf } from "../../ground/id/moment-of.ts"
import type {
  MessageWithParts,
  Part,
  Project,
  Session,
  Task,
  TaskSize,
  TaskSummary,
  ToolPart,
} from "../../ground/schema/index.ts"
import { changesFiles } from "../../ground/schema/read-tool-call.ts"
import type { Store } from "../../ground/store/index.ts"
import { undonePart } from "../revert/undone-part.ts"
import type { CountedChange, SnapshotPair } from "../snapshot/read-changes.ts"
import type { ChangeService, TreeChanges } from "./change-service.ts"
import { fileContent } from "./file-content.ts"
import { fileDiff } from "./file-diff.ts"
import { hasUnseenCommand, type ReadStepsDeps, readSteps, stepChanges } from "./step-changes.ts"
import { summariseChanges } from "./summarise-changes.ts"

interface ChangesDeps extends ReadStepsDeps {
  store: Store
  sessionByID(id: string): Promise<Session>
  projectByID(id: string): Promise<Project>
}

/** The most changes of one answer: nobody reads the list of a step that unpacked a dependency. */
const maxChanges = 2_000

/** The changes, with what only core asks for. */
export interface Changes extends ChangeService {
  /** How much a task has changed so far. @throws session_not_found */
  sizeOf(task: Pick<Task, "id" | "sessionID">): Promise<TaskSize>
}

export function createChanges(deps: ChangesDeps): Changes {
  const messagesOf = createSessionMessages(deps.store)
  const snapshots = withKnownChanges(deps.snapshots)
  const cached = { ...deps, messagesOf, snapshots }
  return {
    async list(sessionID) {
      const { rootID, projectID } = await deps.sessionByID(sessionID)
      return treeChanges(cached, rootID, await deps.projectByID(projectID))
    },
    async diff(sessionID, path, steps) {
      const { rootID, projectID } = await deps.sessionByID(sessionID)
      return fileDiff(deps, { rootID, project: await deps.projectByID(projectID), path, steps })
    },
    async content(sessionID, path, steps) {
      const { rootID, projectID } = await deps.sessionByID(sessionID)
      return fileContent(deps, { rootID, project: await deps.projectByID(projectID), path, steps })
    },
    async summary(sessionID) {
      const { rootID, projectID } = await deps.sessionByID(sessionID)
      return summariseChanges(await treeChanges(cached, rootID, await deps.projectByID(projectID)))
    },
    async sizeOf(task) {
      const session = await deps.sessionByID(task.sessionID)
      return taskSize(cached, task, { session, project: await deps.projectByID(session.projectID) })
    },
  }
}

async function treeChanges(
  deps: ChangesDeps & { messagesOf: ReturnType<typeof createSessionMessages> },
  rootID: string,
  project: Project,
): Promise<TreeChanges> {
  const [tree, tasks] = await Promise.all([readTree(deps, rootID), deps.store.task.tree(rootID)])
  const originOf = originsOf(tree.messages, tasks)
  const read = await readSteps(deps, project, tree)
  const all = tree.messages.flatMap((message) =>
    stepChanges(message, read.get(message.info.id) ?? null).map(({ change }) => ({
      ...change,
      ...originOf(message.info),
    })),
  )
  const changes = all.slice(-maxChanges)
  const promptIDs = new Set(changes.map(({ promptID }) => promptID))
  return {
    changes,
    prompts: tree.messages.flatMap((message) =>
      promptIDs.has(message.info.id) ? [{ id: message.info.id, text: promptText(message) }] : [],
    ),
    unseen: !hasUnseen(tree) ? null : project.git ? "no_snapshot" : "no_git",
    truncated: tree.truncated || changes.length < all.length,
  }
}

/** Whether a command ran whose changes are not recorded and will not be. */
function hasUnseen({ sessions, messages }: TreeMessages): boolean {
  return [...Map.groupBy(messages, ({ info }) => info.sessionID)].some(([sessionID, own]) => {
    const settled = sessions.get(sessionID)?.status.type === "idle" ? own : own.slice(0, -unsettled)
    return settled.some(hasUnseenCommand)
  })
}

function promptText({ parts }: MessageWithParts): string {
  const text = parts.find((part) => part.type === "text" && part.synthetic !== true)
  return text?.type === "text" ? text.text.trim() : ""
}

type SnapshotReads = ReadStepsDeps["snapshots"]

/** Most pairs of snapshots that are cached; beyond that the cache starts anew. */
const maxPairs = 4_000
/** A pair with more files is not cached: a few of those would fill the memory. */
const maxFiles = 200

/** Caches the differences of each pair of snapshots, which never change. */
function withKnownChanges(snapshots: SnapshotReads): SnapshotReads {
  const known = new Map<string, CountedChange[]>()
  const keyOf = ({ from, to }: SnapshotPair) => `${from} ${to}`
  return {
    ...snapshots,
    async countedChanges(place, pairs) {
      const found = new Map(pairs.map((pair) => [keyOf(pair), known.get(`${place.worktree}\0${keyOf(pair)}`) ?? null]))
      const uncached = pairs.filter((pair) => found.get(keyOf(pair)) === null)
      const read = await snapshots.countedChanges(place, uncached)
      if (known.size > maxPairs) known.clear()
      for (const [index, pair] of uncached.entries()) {
        const changes = read[index] ?? null
        found.set(keyOf(pair), changes)
        if (changes !== null && changes.length <= maxFiles) known.set(`${place.worktree}\0${keyOf(pair)}`, changes)
      }
      return pairs.map((pair) => found.get(keyOf(pair)) ?? null)
    },
  }
}

/** Where a step comes from: the task that made it, and the root's prompt that led to it. */
interface StepOrigin {
  promptID: string | null
  taskID: string | null
}

/** Finds the origin of each message. */
function originsOf(
  messages: readonly MessageWithParts[],
  tasks: readonly TaskSummary[],
): (message: MessageWithParts["info"]) => StepOrigin {
  const promptOfAnswer = new Map(
    messages.flatMap(({ info }) => (info.role === "assistant" ? [[info.id, info.parentID]] : [])),
  )
  const bySession = Map.groupBy(tasks, (task) => task.sessionID)
  /** The newest task of a child at that time: a resumed child gets another task. */
  const taskAt = (sessionID: string, moment: string) =>
    bySession.get(sessionID)?.findLast((task) => momentOf(task.id) <= moment) ?? bySession.get(sessionID)?.[0] ?? null
  const promptOf = (task: TaskSummary, depth: number): string | null => {
    if (task.parentID === task.rootID) return promptOfAnswer.get(task.messageID ?? "") ?? null
    const above = taskAt(task.parentID, momentOf(task.id))
    // Broken rows must not cause an endless loop.
    return above === null || depth > tasks.length ? null : promptOf(above, depth + 1)
  }
  return ({ id, sessionID }) => {
    const task = taskAt(sessionID, momentOf(id))
    if (task === null) return { promptID: promptOfAnswer.get(id) ?? null, taskID: null }
    return { promptID: promptOf(task, 0), taskID: task.id }
  }
}

type TaskSizeDeps = ReadStepsDeps & { messagesOf: ReturnType<typeof createSessionMessages> }

/**
 * How much the child of a task changed since the task was created. Lines are summed over steps, as in lists of files.
 */
async function taskSize(
  deps: TaskSizeDeps,
  task: Pick<Task, "id">,
  { session, project }: { session: Session; project: Project },
): Promise<TaskSize> {
  const { messages } = await deps.messagesOf(session.id, maxMessages.session)
  const own = messages.filter(({ info }) => momentOf(info.id) > momentOf(task.id))
  const read = await readSteps(deps, project, { sessions: new Map([[session.id, session]]), messages: own })
  const changes = own.flatMap((message) => stepChanges(message, read.get(message.info.id) ?? null))
  const sum = (side: "added" | "removed") =>
    changes.reduce((total, { change }) => total + (change.lines?.[side] ?? 0), 0)
  return {
    files: new Set(changes.map(({ change }) => change.path)).size,
    added: sum("added"),
    removed: sum("removed"),
  }
}

/** How many of the newest messages are read per session and per tree. */
const maxMessages = { session: 1_000, tree: 4_000 }

interface TreeMessages {
  sessions: Map<string, Session>
  /** Messages of all sessions by time, without undone ones. */
  messages: MessageWithParts[]
  truncated: boolean
}

type Stores = Pick<Store, "session" | "task" | "transcript">

/** The newest messages of a tree, without undone ones. */
async function readTree(
  { store, messagesOf }: { store: Stores; messagesOf: ReturnType<typeof createSessionMessages> },
  rootID: string,
): Promise<TreeMessages> {
  const sessions = await store.session.tree(rootID)
  const undone = await undoneIn(store, sessions)
  const messages: MessageWithParts[] = []
  let truncated = false
  for (const session of sessions) {
    if (undone.sessions.has(session.id)) continue
    const limit = Math.min(maxMessages.session, maxMessages.tree - messages.length)
    const read = await messagesOf(session.id, limit)
    truncated ||= read.truncated
    messages.push(...read.messages.filter(({ info }) => !undone.messages.has(info.id)))
  }
  messages.sort((a, b) => (momentOf(a.info.id) < momentOf(b.info.id) ? -1 : 1))
  return { sessions: new Map(sessions.map((session) => [session.id, session])), messages, truncated }
}

async function undoneIn(store: Stores, sessions: readonly Session[]) {
  const found = { sessions: new Set<string>(), messages: new Set<string>() }
  for (const session of sessions) {
    if (!session.revert) continue
    const { messageID, mark } = session.revert
    for (const part of await undonePart(store, session, { messageID, until: mark })) {
      if (part.whole) found.sessions.add(part.session.id)
      for (const { info } of part.messages) found.messages.add(info.id)
    }
  }
  return found
}

/** Messages read at once. */
const pageSize = 500
/** How many sessions have their messages cached: those of trees that somebody looks at. */
const maxKept = 40
/** The snapshots of this many newest messages may still be missing: they are taken while the model continues. */
const unsettled = 20
/** How many characters of a prompt name a turn. */
const promptLength = 200

interface SessionMessages {
  messages: MessageWithParts[]
  /** There are older messages. */
  truncated: boolean
}

type TranscriptStore = Pick<Store, "transcript">

/**
 * Reads up to `limit` newest messages of a session, reduced to what the changes need. Later reads take only new and
 * recent messages from the store.
 */
function createSessionMessages(store: TranscriptStore): (sessionID: string, limit: number) => Promise<SessionMessages> {
  const kept = new Map<string, SessionMessages>()
  return async (sessionID, limit) => {
    const known = kept.get(sessionID)
    const last = known?.messages.at(-1)?.info.id
    const read =
      known === undefined || last === undefined || !(await isThere(store, sessionID, last))
        ? await newest(store, sessionID, limit)
        : bounded([...known.messages, ...(await after(store, sessionID, last))], known.truncated, limit)
    kept.delete(sessionID)
    kept.set(sessionID, { ...read, messages: read.messages.slice(0, -unsettled) })
    const [oldest] = kept.keys()
    if (kept.size > maxKept && oldest !== undefined) kept.delete(oldest)
    return read
  }
}

function bounded(messages: MessageWithParts[], truncated: boolean, limit: number): SessionMessages {
  if (messages.length <= limit) return { messages, truncated }
  return { messages: limit > 0 ? messages.slice(-limit) : [], truncated: true }
}

/** Whether the message still exists. A prompt after an undo removes the end of a transcript, cached messages too. */
async function isThere({ transcript }: TranscriptStore, sessionID: string, messageID: string): Promise<boolean> {
  const { items } = await transcript.page({ sessionID, around: messageID, limit: 1 })
  return items.some(({ info }) => info.id === messageID)
}

async function after(
  { transcript }: TranscriptStore,
  sessionID: string,
  messageID: string,
): Promise<MessageWithParts[]> {
  const messages: MessageWithParts[] = []
  for (let from: string | null = messageID; from !== null; ) {
    const page = await transcript.page({ sessionID, after: from, limit: pageSize })
    messages.push(...page.items.map(slim))
    from = page.after
  }
  return messages
}

async function newest({ transcript }: TranscriptStore, sessionID: string, limit: number): Promise<SessionMessages> {
  const messages: MessageWithParts[] = []
  for (let before: string | undefined; ; ) {
    if (messages.length >= limit) return { messages, truncated: true }
    const room = Math.min(pageSize, limit - messages.length)
    const page = await transcript.page({ sessionID, limit: room, ...(before !== undefined && { before }) })
    messages.unshift(...page.items.map(slim))
    if (page.before === null) return { messages, truncated: false }
    before = page.before
  }
}

/** The message without its long texts. */
function slim({ info, parts }: MessageWithParts): MessageWithParts {
  return { info, parts: parts.flatMap((part) => slimPart(part) ?? []) }
}

function slimPart(part: Part): Part | null {
  switch (part.type) {
    case "patch":
    case "step-finish":
      return part
    case "text":
      return part.synthetic === true ? null : { ...part, text: part.text.slice(0, promptLength) }
    case "tool":
      return part.tool === "bash" || changesFiles(part.tool) ? { ...part, state: slimState(part.state) } : null
    default:
      return null
  }
}

function slimState(state: ToolPart["state"]): ToolPart["state"] {
  if (state.status === "pending") return state
  const { diff, output, changes, ...metadata } = state.metadata
  const texts = {
    ...(diff !== undefined && { diff: "" }),
    ...(output !== undefined && { output: "" }),
    ...(Array.isArray(changes) && { changes: changes.map((change) => ({ ...change, diff: "" })) }),
  }
  const slim = { input: {}, metadata: { ...metadata, ...texts } }
  return state.status === "completed" ? { ...state, ...slim, output: "" } : { ...state, ...slim }
}
