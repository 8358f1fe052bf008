import type { PermissionRequest, Session, TaskState, TaskSummary } from "../schema/index.ts"

/**
 * The status of a session, task or tree, the same for every reader: `needs` waits for a person, `queued` for its turn,
 * `away` for the host that has its files. `unread` is used in lists only: the work ended well after the person last
 * read it.
 */
export type WorkStatus = "needs" | "running" | "queued" | "away" | "failed" | "stopped" | "unread" | "done"

const ends = { completed: "done", failed: "failed", stopped: "stopped" } as const

const taskStatuses: Record<TaskState, WorkStatus> = {
  queued: "queued",
  running: "running",
  awaiting_review: "needs",
  completed: "done",
  failed: "failed",
  timed_out: "failed",
  cancelled: "stopped",
  interrupted: "stopped",
}

/** `isAway` as in `treeStatuses`. */
export function taskStatus(state: TaskState, isAway = false): WorkStatus {
  return isAway && (state === "queued" || state === "running") ? "away" : taskStatuses[state]
}

/**
 * The status of a session without those below it; null when nothing was done in it yet. `task` is the newest task of
 * the session. It counts for failures that no turn reports, until a later turn has ended.
 */
export function sessionStatus(session: Session, task: TaskSummary | null): WorkStatus | null {
  const { ended } = session
  if (session.status.type !== "idle") return "running"
  const taskDecides = task !== null && (task.time.ended === null || task.time.ended >= (ended?.at ?? 0))
  if (taskDecides) return taskStatus(task.state)
  if (ended) return ends[ended.how]
  if (session.abortedAt !== null) return "stopped"
  return session.tokens.output > 0 ? "done" : null
}

/** The part of a tree that is read here; both the state of a front end and a snapshot have it. */
export interface TreeRows {
  sessions: Iterable<Session>
  /** Requests that are not pending are ignored. */
  permissions: Iterable<PermissionRequest>
  tasks: Iterable<TaskSummary>
}

/**
 * The mark of each session with everything below it: what waits for a person, or runs, is lifted from any depth.
 * `isAway`: the tree has work, and waits for a host. Then nothing of it runs.
 */
export function treeStatuses(tree: TreeRows, isAway = false): Map<string, WorkStatus | null> {
  const sessions = new Map([...tree.sessions].map((session) => [session.id, session]))
  const tasks = newestTasks(tree.tasks)
  const statuses = new Map<string, WorkStatus | null>()
  for (const [id, session] of sessions) statuses.set(id, sessionStatus(session, tasks.get(id) ?? null))
  const lift = (status: "running" | "needs" | "away", from: string) => {
    for (let at = sessions.get(from); at !== undefined; at = sessions.get(at.parentID ?? ""))
      statuses.set(at.id, status)
  }
  const withStatus = (sought: WorkStatus) => [...statuses].flatMap(([id, status]) => (status === sought ? [id] : []))
  const [running, needing] = [withStatus("running"), withStatus("needs")]
  if (isAway) {
    for (const id of [...running, ...withStatus("queued")]) lift("away", id)
    // What waits may be a prompt that no session works on yet.
    for (const { id, parentID } of sessions.values()) if (parentID === null) statuses.set(id, "away")
  } else for (const id of running) lift("running", id)
  for (const id of needing) lift("needs", id)
  for (const request of tree.permissions) if (request.status === "pending") lift("needs", request.sessionID)
  return statuses
}

/** The task that each session works for, or did last. */
export function newestTasks(tasks: Iterable<TaskSummary>): Map<string, TaskSummary> {
  const newest = new Map<string, TaskSummary>()
  for (const task of tasks) {
    if (task.number > (newest.get(task.sessionID)?.number ?? 0)) newest.set(task.sessionID, task)
  }
  return newest
}

/** Whether a root session has ended since the person last read it. A child's end is for its parent to read. */
export function isUnread(session: Session, person: string): boolean {
  return session.parentID === null && session.ended != null && session.ended.at > (session.read?.[person] ?? 0)
}

/**
 * The status of a root session in a list; null when nothing runs or waits in its tree and its end was read. `isAway` as
 * in `treeStatuses`.
 */
export function listStatus(
  { session, running, needsYou }: { session: Session; running: number; needsYou: number },
  person: string,
  isAway = false,
): WorkStatus | null {
  if (needsYou > 0) return "needs"
  if (isAway) return "away"
  if (running > 0) return "running"
  if (!isUnread(session, person)) return null
  const status = sessionStatus(session, null)
  return status === "done" ? "unread" : status
}
