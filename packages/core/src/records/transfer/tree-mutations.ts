import { firstDirectory } from "../../ground/git/repository-name.ts"
import type {
  Project,
  Session,
  SessionFile,
  SessionImport,
  SessionVisibility,
  Todo,
  TodoChange,
  Turn,
} from "../../ground/schema/index.ts"
import type { Mutation } from "../../ground/store/index.ts"
import { typedTitle } from "../session/title-from.ts"
import {
  portableMessage,
  portablePart,
  portableReview,
  portableSession,
  portableTask,
  portableTurn,
} from "./portable-rows.ts"

/** The destination of an imported tree. */
interface Place {
  project: Project
  /** The agent that leads it from now on. */
  agent: string
  imported: SessionImport
  /** The visibility of the imported session. */
  visibility: SessionVisibility
  /** The number of its first todo, because the numbers in the file are from another workspace. */
  firstTodo: number
  /** The path for the saved output of a call. */
  outputPathOf(call: { sessionID: string; id: string }): string
}

/** Longest title (UTF-16 units), because titles are lines in lists. */
const maxTitle = 200

/** The mutations that create the tree of a file. They do not trust the file's rules, files and running states. */
export function treeMutations(file: SessionFile, place: Place): Mutation[] {
  const now = place.imported.at
  const numbers = todoNumbers(file, place.firstTodo)
  const saved = new Set(file.outputs.map(({ partID }) => partID))
  const { threads, comments, verdicts, viewed } = file.reviews
  const mutations: Mutation[] = file.sessions.map(({ session }) => ({
    kind: "session",
    value: placedSession(session, place),
  }))
  for (const { session, todos, todoChanges, turns, messages } of file.sessions) {
    for (const { info, parts } of messages) {
      mutations.push({ kind: "message", value: withTimes(portableMessage(info), now) })
      for (const part of parts) {
        const value = withTimes(portablePart(part), now)
        mutations.push({ kind: "part", value: saved.has(part.id) ? withOutput(value, place) : value })
      }
    }
    if (todos.length + todoChanges.length > 0) {
      const value = todos.map((todo) => withTimes(numbered(todo, numbers), now))
      const changes = todoChanges.map((change) => placedChange(change, numbers, now))
      mutations.push({ kind: "todos", sessionID: session.id, value, changes })
    }
    for (const turn of turns) {
      const value = portableTurn({ ...turn, input: noInput, owner: null })
      if (value !== null) mutations.push({ kind: "turn", value: withTimes({ ...value, input: noInput }, now) })
    }
  }
  for (const task of file.tasks) mutations.push({ kind: "task", value: withTimes(portableTask(task), now) })
  for (const thread of threads) mutations.push({ kind: "thread", value: withTimes(thread, now) })
  for (const comment of comments) mutations.push({ kind: "comment", value: withTimes(comment, now) })
  for (const verdict of verdicts) mutations.push({ kind: "verdict", value: withTimes(portableReview(verdict), now) })
  for (const look of viewed) mutations.push({ kind: "viewed", value: withTimes(portableReview(look), now) })
  return mutations
}

/** The prompt of a turn is in its message. */
const noInput: Turn["input"] = { parts: [{ type: "text", text: "" }] }

/** The title of an imported session: a line in lists, also on terminals. */
export function fileTitle({ title }: Pick<Session, "title">): string {
  return typedTitle(title.slice(0, maxTitle)) || "Untitled"
}

function placedSession(session: Session, { project, agent, imported, visibility }: Place): Session {
  const isRoot = session.parentID === null
  return withTimes(
    {
      ...portableSession(session),
      projectID: project.id,
      directory: firstDirectory(project),
      title: fileTitle(session),
      ...(isRoot && { agent, imported, ...(visibility === "author" && { visibility }) }),
    },
    imported.at,
  )
}

function withOutput<T extends { id: string; sessionID: string; type: string }>(part: T, { outputPathOf }: Place): T {
  if (!("state" in part) || typeof part.state !== "object") return part
  const metadata = { ...Object(Object(part.state).metadata), outputPath: outputPathOf(part) }
  return { ...part, state: { ...part.state, metadata } }
}

function todoNumbers(file: SessionFile, first: number): Map<string, number> {
  return new Map(file.sessions.flatMap(({ todos }) => todos).map(({ id }, index) => [id, first + index]))
}

function numbered(todo: Todo, numbers: ReadonlyMap<string, number>): Todo {
  return { ...todo, number: numbers.get(todo.id) ?? todo.number }
}

function placedChange(change: TodoChange, numbers: ReadonlyMap<string, number>, now: number): TodoChange {
  const at = Math.min(Math.max(change.at, 0), now)
  const { before, after } = change
  return { ...change, at, before: before && numbered(before, numbers), after: after && numbered(after, numbers) }
}

/** A row whose times are between 1970 and `now` (epoch ms), because other times would sort it wrongly. */
function withTimes<T extends object>(row: T, now: number): T {
  const changed: Record<string, unknown> = {}
  if ("time" in row) changed.time = bounded(row.time, now)
  if ("ended" in row) changed.ended = bounded(row.ended, now)
  if ("state" in row && typeof row.state === "object" && row.state !== null && "time" in row.state)
    changed.state = { ...row.state, time: bounded(row.state.time, now) }
  // Only numbers differ.
  return { ...row, ...changed } as T
}

function bounded(times: unknown, now: number): unknown {
  if (typeof times !== "object" || times === null) return times
  return Object.fromEntries(
    Object.entries(times).map(([name, time]) => [
      name,
      typeof time === "number" ? Math.min(Math.max(time, 0), now) : time,
    ]),
  )
}
