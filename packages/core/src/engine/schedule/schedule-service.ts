import type { ModelRef, Schedule, ScheduleRun } from "../../ground/schema/index.ts"

export interface ScheduleService {
  /** The meaning of a phrase: its complete form and its first times (epoch ms). @throws schedule_phrase_invalid */
  preview(when: string): Promise<{ normalized: string; kind: Schedule["kind"]; next: number[] }>
  /** @throws schedule_phrase_invalid, with the accepted forms */
  create(input: {
    /** The id from the request's key; a new one when omitted. */
    id?: string | undefined
    projectID: string
    sessionID?: string | undefined
    /** A phrase or five cron fields. */
    when: string
    message: string
    agent?: string | undefined
    model?: ModelRef | undefined
    missed?: Schedule["missed"] | undefined
  }): Promise<Schedule>
  list(projectID?: string): Promise<Schedule[]>
  /** @throws schedule_not_found */
  get(ref: string | number): Promise<Schedule>
  setStatus(ref: string | number, status: "active" | "paused" | "canceled"): Promise<Schedule>
  remove(ref: string | number): Promise<void>
  runNow(ref: string | number): Promise<ScheduleRun>
  /** Newest first. `since`: started at or after this time (ms). @throws schedule_not_found */
  runs(query: {
    ref?: string | number | undefined
    since?: number | undefined
    limit?: number | undefined
  }): Promise<ScheduleRun[]>
  /** Null when there is none. */
  run(id: string): Promise<ScheduleRun | null>
}
