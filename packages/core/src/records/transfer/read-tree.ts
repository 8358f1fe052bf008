import { hashesOf } from "../../ground/message/part-files.ts"
import {
  type FileAttachment,
  type FileOutput,
  FileSession,
  MessageWithParts,
  type Part,
  type Session,
  SessionFile,
  type Task,
  type Todo,
  type TodoChange,
} from "../../ground/schema/index.ts"
import type { OutputPage } from "../../ground/schema/output-page.ts"
import type { Store, TreeReviews } from "../../ground/store/index.ts"
import type { Attachments } from "../attachment/create-attachments.ts"
import { readContents } from "./file-contents.ts"
import {
  portableMessage,
  portablePart,
  portableReview,
  portableSession,
  portableTask,
  portableTurn,
} from "./portable-rows.ts"

/** Messages read at a time. */
const pageSize = 50
/** Sorts before the id of every message. */
const beforeAll = "msg_"
/** Most UTF-16 units of one saved output, and of all of them; larger ones are not exported. */
const maxOutput = 1024 * 1024
const maxOutputs = 16 * 1024 * 1024

/** A tree that is being exported: everything except transcripts, which are read in turn. */
export interface FileTree {
  head: Pick<SessionFile, "sanitized" | "rootID" | "tasks" | "reviews">
  /** Each session before those it delegated to. */
  sessions: readonly Omit<FileSession, "messages">[]
  /** The transcript of a session in order, page by page. */
  messages(sessionID: string): AsyncIterable<MessageWithParts[]>
  /** Call it after all transcripts were read. */
  outputs(): AsyncIterable<FileOutput>
  /** Call it after all transcripts were read. */
  attachments(): AsyncIterable<FileAttachment>
}

export interface ReadTreeDeps {
  store: Pick<Store, "session" | "transcript" | "todo" | "task" | "turn" | "review">
  attachments: Pick<Attachments, "read">
  outputs: { page(call: { sessionID: string; id: string; rootID?: string }, from?: number): Promise<OutputPage> }
}

/** Reads a whole tree as it is now. The members of rows are always in the same order. */
export async function readFileTree(deps: ReadTreeDeps, rootID: string): Promise<FileTree> {
  const { store } = deps
  const [sessions, todos, turns, reviews, tasks] = await Promise.all([
    store.session.tree(rootID),
    store.todo.tree(rootID),
    store.turn.tree(rootID),
    store.review.tree(rootID),
    allTasks(store, rootID),
  ])
  /** Filled while the transcripts are read. */
  const partsWithOutput: Part[] = []
  const hashes = new Set<string>()
  const ids = idsOf(sessions, todos)
  return {
    head: headOf(rootID, sessions, { tasks: tasks.map((task) => taskWithin(task, ids)), reviews }),
    sessions: await Promise.all(
      inTreeOrder(sessions).map(async (session) => {
        const changes = await store.todo.history({ sessionID: session.id, limit: Number.MAX_SAFE_INTEGER })
        return FileSession.omit({ messages: true }).parse({
          session: sessionWithin(portableSession(session), ids),
          todos: (todos[session.id] ?? []).map((todo) => todoWithin(todo, ids)),
          todoChanges: changes.map((change) => changeWithin(change, ids)),
          turns: turns.filter(({ sessionID }) => sessionID === session.id).flatMap((turn) => portableTurn(turn) ?? []),
        })
      }),
    ),
    async *messages(sessionID) {
      let after: string | null = beforeAll
      while (after !== null) {
        const page: Awaited<ReturnType<typeof store.transcript.page>> = await store.transcript.page({
          sessionID,
          after,
          limit: pageSize,
        })
        for (const { parts } of page.items) {
          partsWithOutput.push(...parts.filter(hasSavedOutput))
          for (const hash of parts.flatMap(hashesOf)) hashes.add(hash)
        }
        if (page.items.length > 0) yield page.items.map(portable)
        after = page.after
      }
    },
    outputs: () => savedOutputs(deps, rootID, partsWithOutput),
    attachments: () => readContents(hashes, (hash) => deps.attachments.read(rootID, hash)),
  }
}

function idsOf(sessions: readonly Session[], todos: Record<string, Todo[]>): TreeIDs {
  return {
    sessions: new Set(sessions.map(({ id }) => id)),
    todos: new Set(Object.values(todos).flatMap((list) => list.map(({ id }) => id))),
  }
}

/** Leaves out rows made after the sessions were read, because their sessions are not in the file. */
function headOf(
  rootID: string,
  sessions: readonly Session[],
  { tasks: all, reviews }: { tasks: readonly Task[]; reviews: TreeReviews },
): FileTree["head"] {
  const known = new Set(sessions.map(({ id }) => id))
  const isKnown = ({ sessionID }: { sessionID: string }) => known.has(sessionID)
  const tasks = all.filter((task) => isKnown(task) && known.has(task.parentID))
  const threads = reviews.threads.filter(isKnown)
  const taskIDs = new Set(tasks.map(({ id }) => id))
  const threadIDs = new Set(threads.map(({ id }) => id))
  const isOfTask = ({ taskID }: { taskID: string }) => taskIDs.has(taskID)
  const shape = SessionFile.shape
  return {
    sanitized: false,
    rootID,
    tasks: shape.tasks.parse(tasks.map(portableTask)),
    reviews: shape.reviews.parse({
      threads,
      comments: reviews.comments.filter(({ threadID }) => threadIDs.has(threadID)),
      verdicts: reviews.verdicts.filter(isOfTask).map(portableReview),
      viewed: reviews.viewed.filter(isOfTask).map(portableReview),
    }),
  }
}

function portable({ info, parts }: MessageWithParts): MessageWithParts {
  return MessageWithParts.parse({ info: portableMessage(info), parts: parts.map(portablePart) })
}

async function allTasks(store: Pick<Store, "task">, rootID: string): Promise<Task[]> {
  const tasks = await Promise.all((await store.task.tree(rootID)).map(({ id }) => store.task.get(id)))
  return tasks.filter((task) => task !== null)
}

function hasSavedOutput(part: Part): boolean {
  return part.type === "tool" && part.state.status === "completed" && Boolean(part.state.metadata.outputPath)
}

async function* savedOutputs(
  { outputs }: ReadTreeDeps,
  rootID: string,
  parts: readonly Part[],
): AsyncGenerator<FileOutput> {
  let left = maxOutputs
  for (const part of parts) {
    const text = await savedOutput(
      outputs,
      { id: part.id, sessionID: part.sessionID, rootID },
      Math.min(maxOutput, left),
    )
    if (text === null) continue
    left -= text.length
    yield { partID: part.id, text }
  }
}

/** Null when the output is gone or too long. */
async function savedOutput(
  outputs: ReadTreeDeps["outputs"],
  call: { sessionID: string; id: string; rootID: string },
  most: number,
): Promise<string | null> {
  let text = ""
  for (let from: number | null = 0; from !== null; ) {
    const page: OutputPage | null = await outputs.page(call, from).catch(() => null)
    // `size` counts bytes: a text of `most` units has at most four times as many.
    if (page === null || page.size > most * 4 || text.length + page.text.length > most) return null
    text += page.text
    from = page.next
  }
  return text
}

/** Each session before those it delegated to, and these by creation. */
function inTreeOrder(sessions: readonly Session[]): Session[] {
  const below = Map.groupBy(sessions, ({ parentID }) => parentID)
  const under = (parentID: string | null): Session[] =>
    (below.get(parentID) ?? [])
      .toSorted((left, right) => left.time.created - right.time.created || (left.id > right.id ? -1 : 1))
      .flatMap((session) => [session, ...under(session.id)])
  return under(null)
}

// Some rows refer to others by id, and a later action follows that id. A file may contain any id, so an import would
// let such an action reach rows of another tree. The functions below remove ids from outside the tree.

/** The ids in a tree. */
interface TreeIDs {
  sessions: ReadonlySet<string>
  todos: ReadonlySet<string>
}

/** A file whose rows refer to nothing outside its tree that they could change. */
export function withinTree(file: SessionFile): SessionFile {
  const ids: TreeIDs = {
    sessions: new Set(file.sessions.map(({ session }) => session.id)),
    todos: new Set(file.sessions.flatMap(({ todos }) => todos.map(({ id }) => id))),
  }
  return {
    ...file,
    sessions: file.sessions.map((each) => ({
      ...each,
      session: sessionWithin(each.session, ids),
      todos: each.todos.map((todo) => todoWithin(todo, ids)),
      todoChanges: each.todoChanges.map((change) => changeWithin(change, ids)),
    })),
    tasks: file.tasks.map((task) => taskWithin(task, ids)),
  }
}

/** Drops undone children outside the tree: a redo would restore them. */
function sessionWithin(session: Session, { sessions }: TreeIDs): Session {
  const { revert } = session
  return revert
    ? { ...session, revert: { ...revert, children: revert.children.filter((id) => sessions.has(id)) } }
    : session
}

/** Drops dependencies outside the tree: starting the todo would reveal those todos. */
function todoWithin(todo: Todo, { todos }: TreeIDs): Todo {
  return { ...todo, dependsOn: todo.dependsOn.filter((id) => todos.has(id)) }
}

function changeWithin(change: TodoChange, ids: TreeIDs): TodoChange {
  const { before, after } = change
  return { ...change, before: before && todoWithin(before, ids), after: after && todoWithin(after, ids) }
}

/** Drops a todo outside the tree: repeating the task would work on it. */
function taskWithin(task: Task, { todos }: TreeIDs): Task {
  return { ...task, todoID: task.todoID !== null && todos.has(task.todoID) ? task.todoID : null }
}
