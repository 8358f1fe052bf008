import type { PermissionRequest, Session, TaskState, TaskSummary } from "../schema/index.ts"

/**
 * How a session, task or tree stands, the same for every reader: `needs` waits for a person, `queued` for its turn.
 * `unread` is only a list's: it ended well since the person last read it.
 */
export type Mark = "needs" | "running" | "queued" | "failed" | "stopped" | "unread" | "done"

const ends = { completed: "done", failed: "failed", stopped: "stopped" } as const

const taskMarks: Record<TaskState, Mark> = {
  queued: "queued",
  running: "running",
  awaiting_review: "needs",
  completed: "done",
  failed: "failed",
  timed_out: "failed",
  cancelled: "stopped",
  interrupted: "stopped",
}

export function taskMark(state: TaskState): Mark {
  return taskMarks[state]
}

/**
 * How a session stands by itself; null when nothing was done in it yet. `task` is the newest that it works or worked
 * for: it knows of failures that no turn tells of, until a later turn has ended.
 */
export function sessionMark(session: Session, task: TaskSummary | null): Mark | null {
  const { ended } = session
  if (session.status.type !== "idle") return "running"
  if (task !== null && (task.time.ended === null || task.time.ended >= (ended?.at ?? 0))) return taskMark(task.state)
  if (ended) return ends[ended.how]
  if (session.abortedAt !== null) return "stopped"
  return session.tokens.output > 0 ? "done" : null
}

/** What is read of a tree; both the state of a front end and a snapshot have it. */
export interface MarkedTree {
  sessions: Iterable<Session>
  /** Those that are not pending are passed over. */
  permissions: Iterable<PermissionRequest>
  tasks: Iterable<TaskSummary>
}

/** The mark of each session with everything below it: what waits for a person, or runs, is lifted from any depth. */
export function treeMarks(tree: MarkedTree): Map<string, Mark | null> {
  const sessions = new Map([...tree.sessions].map((session) => [session.id, session]))
  const tasks = newestTasks(tree.tasks)
  const marks = new Map<string, Mark | null>()
  for (const [id, session] of sessions) marks.set(id, sessionMark(session, tasks.get(id) ?? null))
  const lift = (mark: "running" | "needs", from: string) => {
    for (let at = sessions.get(from); at !== undefined; at = sessions.get(at.parentID ?? "")) marks.set(at.id, mark)
  }
  const marked = (wanted: Mark) => [...marks].flatMap(([id, mark]) => (mark === wanted ? [id] : []))
  const [running, needing] = [marked("running"), marked("needs")]
  for (const id of running) lift("running", id)
  for (const id of needing) lift("needs", id)
  for (const request of tree.permissions) if (request.status === "pending") lift("needs", request.sessionID)
  return marks
}

/** The task that each session works for, or did last. */
export function newestTasks(tasks: Iterable<TaskSummary>): Map<string, TaskSummary> {
  const newest = new Map<string, TaskSummary>()
  for (const task of tasks) {
    if (task.number > (newest.get(task.sessionID)?.number ?? 0)) newest.set(task.sessionID, task)
  }
  return newest
}

/** Whether a root session has ended since the person last read it. The end of a child is its parent's to read. */
export function isUnread(session: Session, person: string): boolean {
  return session.parentID === null && session.ended != null && session.ended.at > (session.read?.[person] ?? 0)
}

/** What a list of root sessions says of one; null when nothing runs or waits in its tree and its end was read. */
export function listMark(
  { session, running, needsYou }: { session: Session; running: number; needsYou: number },
  person: string,
): Mark | null {
  if (needsYou > 0) return "needs"
  if (running > 0) return "running"
  if (!isUnread(session, person)) return null
  const mark = sessionMark(session, null)
  return mark === "done" ? "unread" : mark
}
