import type { TaskSummary } from "../schema/index.ts"

/** A time that counts up: `ms`, and what passes since `since` (epoch ms) unless that is null. */
export interface Counter {
  ms: number
  since: number | null
}

/**
 * How long a task waited, for a free place and for answers of people, and how long it worked; both together are the
 * time since it was made. `worked` is null before it starts.
 */
export interface TaskTimes {
  waited: Counter
  worked: Counter | null
}

export function taskTimes({ time, waited: asked = { ms: 0, since: null } }: TaskSummary): TaskTimes {
  const { created, started, ended } = time
  if (started === null) {
    const waited = ended === null ? { ms: 0, since: created } : { ms: ended - created, since: null }
    return { waited, worked: null }
  }
  // A request that was open at the end waits no more.
  const answered = asked.ms + (asked.since !== null && ended !== null ? Math.max(0, ended - asked.since) : 0)
  const since = ended === null ? asked.since : null
  const waited = { ms: started - created + answered, since }
  const until = ended ?? since
  return {
    waited,
    // Below 0 so that the counter, which runs from the start, leaves out the time that it waited for answers.
    worked: until === null ? { ms: -answered, since: started } : { ms: until - started - answered, since: null },
  }
}
