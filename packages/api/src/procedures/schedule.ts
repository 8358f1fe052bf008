import type { ScheduleService } from "@docket/core"
import { records } from "@docket/core/operations"
import { ModelRef, ProjectID, Schedule, type ScheduleRun, SessionID } from "@docket/core/schema"
import { z } from "zod"
import { allowed, router } from "../trpc.ts"
import { ItemRef, MaybeProjectInput } from "./input.ts"

const ScheduleRef = z.object({ schedule: ItemRef })
/** A phrase or five cron fields. */
const When = z.string().trim().min(1).max(500)

const CreateInput = z.object({
  projectID: ProjectID,
  /** The session to prompt; without it each run starts a new one. */
  sessionID: SessionID.optional(),
  when: When,
  message: z.string().trim().min(1).max(100_000),
  agent: z.string().optional(),
  model: ModelRef.optional(),
  missed: Schedule.shape.missed.optional(),
})

const RunsInput = ScheduleRef.partial().extend({ limit: z.number().int().min(1).max(500).optional() })

export const scheduleRouter = router({
  /** Schedules of a project or of all, newest first. */
  list: allowed("read")
    .input(MaybeProjectInput)
    .query(({ ctx, input }): Promise<Schedule[]> => ctx.runtime.schedule.list(input.projectID)),

  get: allowed("read")
    .input(ScheduleRef)
    .query(({ ctx, input }): Promise<Schedule> => ctx.runtime.schedule.get(input.schedule)),

  /** What a phrase means, and the first times it stands for. */
  preview: allowed("read")
    .input(z.object({ when: When }))
    .query(({ ctx, input }): ReturnType<ScheduleService["preview"]> => ctx.runtime.schedule.preview(input.when)),

  create: allowed("schedule.edit", records("schedule.edited", { facts: ["missed"] }))
    .input(CreateInput)
    .mutation(({ ctx, input }): Promise<Schedule> => ctx.runtime.schedule.create(input)),

  /** Pauses, resumes or cancels. A schedule that has ended stays so. */
  setStatus: allowed("schedule.edit", records("schedule.edited", { targets: ["schedule"], facts: ["status"] }))
    .input(ScheduleRef.extend({ status: z.enum(["active", "paused", "canceled"]) }))
    .mutation(({ ctx, input }): Promise<Schedule> => ctx.runtime.schedule.setStatus(input.schedule, input.status)),

  /** Runs a schedule at once, whatever its status. Answers when the prompt is queued or refused. */
  runNow: allowed("schedule.edit", records("schedule.edited", { targets: ["schedule"] }))
    .input(ScheduleRef)
    .mutation(({ ctx, input }): Promise<ScheduleRun> => ctx.runtime.schedule.runNow(input.schedule)),

  /** Runs of one schedule or of all, newest first. */
  runs: allowed("read")
    .input(RunsInput)
    .query(({ ctx, input }): Promise<ScheduleRun[]> => {
      return ctx.runtime.schedule.runs({ ref: input.schedule, limit: input.limit })
    }),

  /** Removes a schedule with its history. A run that goes on does so. */
  remove: allowed("schedule.edit", records("schedule.edited", { targets: ["schedule"] }))
    .input(ScheduleRef)
    .mutation(({ ctx, input }): Promise<void> => ctx.runtime.schedule.remove(input.schedule)),
})
