import { z } from "zod"
import { Caller } from "./caller.ts"
import { ProjectID, ScheduleID, ScheduleRunID, SessionID, TurnID } from "./ids.ts"
import { ModelRef } from "./model.ts"

/** Prompts a session, or a new one each time, at given moments. Times are epoch ms, in the host's time zone. */
export const Schedule = z.object({
  id: ScheduleID,
  number: z.number().int().positive(),
  projectID: ProjectID,
  /** The session to prompt; null starts a new one for each run. */
  sessionID: SessionID.nullable(),
  /** As the person wrote it: a phrase ("every weekday at 09:00") or five cron fields. */
  phrase: z.string(),
  kind: z.enum(["one-shot", "recurring"]),
  /** Five cron fields of a recurring schedule, or `interval` (ms) of one that repeats from its start. */
  cron: z.string().nullable(),
  interval: z.number().int().positive().nullable(),
  message: z.string().min(1),
  agent: z.string().nullable(),
  model: ModelRef.nullable(),
  status: z.enum(["active", "paused", "completed", "failed", "canceled"]),
  /** Which of the runs that were due while Docket was not running are made up for: none, one, or all. */
  missed: z.enum(["skip", "once", "all"]),
  nextFireAt: z.number().nullable(),
  lastRunAt: z.number().nullable(),
  runCount: z.number().int().nonnegative(),
  /** Who made the schedule: its runs act for this person. */
  by: Caller.optional(),
  time: z.object({ created: z.number(), updated: z.number() }),
})
export type Schedule = z.infer<typeof Schedule>

export const ScheduleRun = z.object({
  id: ScheduleRunID,
  scheduleID: ScheduleID,
  status: z.enum(["running", "succeeded", "failed"]),
  sessionID: SessionID.nullable(),
  turnID: TurnID.nullable(),
  /** When the run was due. */
  dueAt: z.number(),
  startedAt: z.number(),
  completedAt: z.number().nullable(),
  /** The beginning of the answer, at most 4 KiB. */
  summary: z.string(),
  error: z.string().nullable(),
  /** Who started the run by hand; otherwise who made the schedule. */
  by: Caller.optional(),
})
export type ScheduleRun = z.infer<typeof ScheduleRun>
