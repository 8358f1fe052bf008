import type { ScheduleRun } from "@docket/core/schema"
import { z } from "zod"
import { procedure } from "../trpc.ts"
import { ScheduleRef } from "./input.ts"

const Input = z.object({ schedule: ScheduleRef.optional(), limit: z.number().int().min(1).max(500).optional() })

/** Runs of one schedule or of all, newest first. */
export const scheduleRuns = procedure
  .input(Input)
  .query(
    ({ ctx, input }): Promise<ScheduleRun[]> => ctx.runtime.schedule.runs({ ref: input.schedule, limit: input.limit }),
  )
