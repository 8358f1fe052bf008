import type { Session, SessionFile } from "../../ground/schema/index.ts"
import { badFile } from "./bad-file.ts"

/**
 * Checks that a file is one tree: everything in it has a place there and an id of its own.
 * @throws DocketError invalid_input
 */
export function checkTree(file: SessionFile): void {
  const sessions = new Map(file.sessions.map(({ session }) => [session.id, session]))
  checkIDs(file)
  checkShape(file.rootID, sessions)
  for (const { session, todos, todoChanges, turns, messages } of file.sessions) {
    const own = (row: { sessionID: string | null }, what: string) => {
      if (row.sessionID !== session.id) throw badFile(`${what} of session ${session.id} names another session.`)
    }
    for (const todo of todos) own(todo, "a todo")
    for (const change of todoChanges) own(change, "a change of a todo")
    for (const turn of turns) {
      own(turn, "a turn")
      inTree(turn, file)
    }
    for (const { info, parts } of messages) {
      own(info, "a message")
      for (const part of parts) {
        own(part, "a part")
        if (part.messageID !== info.id) throw badFile(`the part ${part.id} names another message than ${info.id}.`)
      }
    }
  }
  checkTasks(file, sessions)
  checkReviews(file, sessions)
}

function checkShape(rootID: string, sessions: ReadonlyMap<string, Session>): void {
  const roots = [...sessions.values()].filter(({ parentID }) => parentID === null)
  if (roots.length !== 1) throw badFile(`it has ${roots.length} sessions without a parent; a tree has one.`)
  if (roots[0]?.id !== rootID) throw badFile(`its root is said to be ${rootID}, which is not the one without a parent.`)
  for (const session of sessions.values()) {
    if (session.rootID !== rootID) throw badFile(`the session ${session.id} is of another tree.`)
    if (depthOf(session, sessions) !== session.depth) throw badFile(`the session ${session.id} has a wrong depth.`)
  }
}

/** How many sessions stand above it. */
function depthOf(session: Session, sessions: ReadonlyMap<string, Session>): number {
  let depth = 0
  for (let at = session; at.parentID !== null; depth++) {
    if (depth > sessions.size) throw badFile(`the parents of session ${session.id} form a circle.`)
    const parent = sessions.get(at.parentID)
    if (parent === undefined) throw badFile(`the parent of session ${at.id} is not in it.`)
    at = parent
  }
  return depth
}

function checkTasks({ rootID, tasks }: SessionFile, sessions: ReadonlyMap<string, Session>): void {
  const numbers = new Set<number>()
  for (const task of tasks) {
    inTree(task, { rootID })
    if (!sessions.has(task.sessionID) || !sessions.has(task.parentID))
      throw badFile(`the session of task #${task.number} is not in it.`)
    if (numbers.has(task.number)) throw badFile(`it has two tasks #${task.number}.`)
    numbers.add(task.number)
  }
}

function checkReviews({ rootID, reviews, tasks }: SessionFile, sessions: ReadonlyMap<string, Session>): void {
  const taskIDs = new Set(tasks.map(({ id }) => id))
  const threadIDs = new Set(reviews.threads.map(({ id }) => id))
  const judged = [...reviews.verdicts, ...reviews.viewed]
  for (const row of [...reviews.threads, ...reviews.comments, ...judged]) {
    inTree(row, { rootID })
    if (!sessions.has(row.sessionID)) throw badFile(`the session of ${row.id} is not in it.`)
  }
  for (const { id, threadID } of reviews.comments)
    if (!threadIDs.has(threadID)) throw badFile(`the thread of comment ${id} is not in it.`)
  for (const { id, taskID } of judged) if (!taskIDs.has(taskID)) throw badFile(`the task of ${id} is not in it.`)
}

function inTree(row: { id: string; rootID: string }, { rootID }: Pick<SessionFile, "rootID">): void {
  if (row.rootID !== rootID) throw badFile(`${row.id} is of another tree.`)
}

function checkIDs(file: SessionFile): void {
  const seen = new Set<string>()
  for (const id of fileIDs(file)) {
    if (seen.has(id)) throw badFile(`the id ${id} is there twice.`)
    seen.add(id)
  }
}

/** The ids of all rows of a file. */
export function fileIDs({ sessions, tasks, reviews }: SessionFile): string[] {
  const { threads, comments, verdicts, viewed } = reviews
  return [
    ...sessions.flatMap(({ session, todos, todoChanges, turns, messages }) => [
      ...[session, ...todos, ...todoChanges, ...turns].map(({ id }) => id),
      ...messages.flatMap(({ info, parts }) => [info.id, ...parts.map(({ id }) => id)]),
    ]),
    ...[...tasks, ...threads, ...comments, ...verdicts, ...viewed].map(({ id }) => id),
  ]
}
