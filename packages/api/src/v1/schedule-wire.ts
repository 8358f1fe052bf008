import { Schedule, ScheduleRun, SessionID } from "@docket/core/schema"
import { z } from "zod"

/**
 * A schedule as `/v1/schedules` shows it. Times are epoch seconds, 0 for none. `conversation_id` is the session to
 * prompt, 0 when each run starts a new one; `agent_id` is `index` for the session's own agent.
 */
export const WireSchedule = z.object({
  id: z.number().int().positive(),
  agent_id: z.string(),
  conversation_id: z.union([z.literal(0), SessionID]),
  project_id: z.string(),
  message: z.string(),
  schedule_phrase: z.string(),
  schedule_kind: Schedule.shape.kind,
  fire_at: z.number().int(),
  recur_json: z.string().describe('`{"cron": …}` or `{"every_minutes": …}`, empty for a one-shot'),
  next_fire_at: z.number().int(),
  status: Schedule.shape.status,
  missed: Schedule.shape.missed,
  created_at: z.number().int(),
  updated_at: z.number().int(),
  last_run_at: z.number().int(),
  run_count: z.number().int(),
})
export type WireSchedule = z.infer<typeof WireSchedule>

export const WireScheduleInput = z.object({
  schedule: z
    .string({ error: "required field: schedule" })
    .trim()
    .min(1, { error: "required field: schedule" })
    .max(500),
  message: z
    .string({ error: "required field: message" })
    .trim()
    .min(1, { error: "required field: message" })
    .max(100_000),
  agent: z.string().max(200).default("index"),
  conversation_id: z.union([z.literal(0), z.string(), z.number()]).default(0),
  missed: Schedule.shape.missed.optional().describe("runs that fell due while Docket was not running; once unless set"),
})

export const WireSchedulePatch = z.object({
  status: z.enum(["active", "paused", "canceled"], { error: "status must be one of: active, paused, canceled" }),
})

/** One run. `request_id` is the turn that it prompted, `conversation_id` its session; without them, empty and 0. */
export const WireRun = z.object({
  id: ScheduleRun.shape.id,
  task_id: z.number().int(),
  status: ScheduleRun.shape.status,
  due_at: z.number().int(),
  started_at: z.number().int(),
  completed_at: z.number().int(),
  request_id: z.string(),
  conversation_id: z.union([z.literal(0), SessionID]),
  result_summary: z.string(),
  error_message: z.string(),
})
export type WireRun = z.infer<typeof WireRun>

export function toWireSchedule(schedule: Schedule): WireSchedule {
  return {
    id: schedule.number,
    agent_id: schedule.agent ?? "index",
    conversation_id: schedule.sessionID ?? 0,
    project_id: schedule.projectID,
    message: schedule.message,
    schedule_phrase: schedule.phrase,
    schedule_kind: schedule.kind,
    fire_at: schedule.kind === "one-shot" ? toSeconds(schedule.nextFireAt) : 0,
    recur_json: recurrence(schedule),
    next_fire_at: toSeconds(schedule.nextFireAt),
    status: schedule.status,
    missed: schedule.missed,
    created_at: toSeconds(schedule.time.created),
    updated_at: toSeconds(schedule.time.updated),
    last_run_at: toSeconds(schedule.lastRunAt),
    run_count: schedule.runCount,
  }
}

export function toWireRun(run: ScheduleRun, scheduleNumber: number): WireRun {
  return {
    id: run.id,
    task_id: scheduleNumber,
    status: run.status,
    due_at: toSeconds(run.dueAt),
    started_at: toSeconds(run.startedAt),
    completed_at: toSeconds(run.completedAt),
    request_id: run.turnID ?? "",
    conversation_id: run.sessionID ?? 0,
    result_summary: run.summary,
    error_message: run.error ?? "",
  }
}

function recurrence({ cron, interval }: Schedule): string {
  if (cron !== null) return JSON.stringify({ cron })
  return interval === null ? "" : JSON.stringify({ every_minutes: interval / 60_000 })
}

function toSeconds(milliseconds: number | null): number {
  return Math.floor((milliseconds ?? 0) / 1_000)
}
