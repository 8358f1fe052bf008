import type { Task } from "../../ground/schema/index.ts"
import { maxMoments } from "./task-moments.ts"

type CutShort = Required<Pick<Task, "moments" | "waited">> & Pick<Task, "time">

/**
 * The times of an open task whose process died: it worked, or waited for a person, until then, and did neither while
 * the process was down. `open` are the tasks left open; `diedAt` is epoch ms.
 */
export function cutShort(task: Task, open: Task[], diedAt: number): CutShort {
  const { created, started } = task.time
  const since = waitsSince(task, open)
  const ended = Math.max(diedAt, created, started ?? 0, since ?? 0)
  const wait = since === null ? [] : [{ kind: "wait" as const, from: since, until: ended }]
  const { waited = { ms: 0, since: null } } = task
  const own = waited.since === null ? 0 : Math.max(0, ended - waited.since)
  return {
    time: { ...task.time, ended },
    moments: [...(task.moments ?? []), ...wait].slice(-maxMoments),
    waited: { ms: waited.ms + own, since: null },
  }
}

/** Since when a person is waited for in a task or below it (epoch ms); null when nobody is. */
export function waitsSince(task: Task, open: Task[]): number | null {
  const below = open.filter(({ parentID }) => parentID === task.sessionID)
  const times = [task.waited?.since ?? null, ...below.map((child) => waitsSince(child, open))]
  const known = times.filter((time) => time !== null)
  return known.length === 0 ? null : Math.min(...known)
}
