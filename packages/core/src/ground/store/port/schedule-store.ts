import type { Schedule, ScheduleRun } from "../../schema/index.ts"

export interface ScheduleStore {
  put(schedule: Schedule): Promise<void>
  get(id: string): Promise<Schedule | null>
  byNumber(number: number): Promise<Schedule | null>
  /** Removes it with its runs. */
  remove(id: string): Promise<void>
  /** Newest first. */
  list(projectID?: string): Promise<Schedule[]>
  /** Active ones with `nextFireAt` at or before `now`, earliest first. */
  due(now: number): Promise<Schedule[]>
  /** @throws DocketError schedule_not_found */
  putRun(run: ScheduleRun): Promise<void>
  /** Newest first. */
  runs(query: {
    id?: string | undefined
    scheduleID?: string | undefined
    status?: ScheduleRun["status"] | undefined
    /** Begun at or after this (ms). */
    since?: number | undefined
    limit: number
  }): Promise<ScheduleRun[]>
  reserveNumber(): Promise<number>
}
