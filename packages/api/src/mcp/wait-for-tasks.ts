import { DocketError } from "@docket/core"
import type { PermissionRequest, Session, Task } from "@docket/core/schema"
import { may } from "../access/may.ts"
import type { McpCall } from "./mcp-call.ts"
import { isSettled } from "./task-answer.ts"

/** How long one look at the tasks lasts (ms), and so how often a client hears of progress. */
const lookMs = 1_000

export interface Waited {
  tasks: Task[]
  /** The requests of each task that wait for a person, by task id. */
  waiting: ReadonlyMap<string, PermissionRequest[]>
}

/**
 * Waits until all tasks, or any of them, rest. Meanwhile the client hears of progress, and its user is asked for
 * permissions where that is possible; elsewhere they wait on the desk. Ends early after `waitMs`.
 */
export async function waitForTasks(
  call: McpCall,
  ids: readonly string[],
  { waitMs, mode }: { waitMs: number; mode: "all" | "any" },
): Promise<Waited> {
  const until = call.clock() + waitMs
  const asked = new Set<string>()
  for (;;) {
    if (!(await call.isStillAllowed())) throw new DocketError("signed_out", "Your token does not count any more.")
    const tasks = await Promise.all(ids.map((taskID) => call.agents.task.get({ taskID })))
    const waiting = await requestsOf(call, tasks)
    const settled = tasks.filter(isSettled)
    const open = tasks.find((task) => !isSettled(task))
    const left = until - call.clock()
    if (open === undefined || (mode === "any" && settled.length > 0) || left <= 0) return { tasks, waiting }
    const calls = tasks.reduce((sum, { usage }) => sum + usage.toolCalls, 0)
    await call.progress(`${settled.length} of ${tasks.length} tasks rest; ${calls} calls of tools so far`)
    for (const request of [...waiting.values()].flat()) {
      if (asked.has(request.id) || !may(call.identity, "answer")) continue
      asked.add(request.id)
      await call.ask(request)
    }
    await call.agents.task.wait({ taskID: open.id, waitMs: Math.min(lookMs, left), signal: call.signal })
    call.signal.throwIfAborted()
  }
}

/** The waiting requests of the tasks' sessions and of those below them. */
async function requestsOf({ agents }: Pick<McpCall, "agents">, tasks: readonly Task[]): Promise<Waited["waiting"]> {
  const waiting = new Map<string, PermissionRequest[]>()
  for (const rootID of new Set(tasks.map((task) => task.rootID))) {
    const requests = await agents.permission.list({ rootID })
    if (requests.length === 0) continue
    const { sessions } = await agents.session.tree({ sessionID: rootID })
    for (const task of tasks.filter((it) => it.rootID === rootID)) {
      const own = requests.filter(({ sessionID }) => isBelow(sessions, sessionID, task.sessionID))
      if (own.length > 0) waiting.set(task.id, own)
    }
  }
  return waiting
}

function isBelow(sessions: readonly Session[], sessionID: string, ancestorID: string): boolean {
  const byID = new Map(sessions.map((session) => [session.id, session]))
  for (let at = byID.get(sessionID); at !== undefined; at = byID.get(at.parentID ?? ""))
    if (at.id === ancestorID) return true
  return false
}
