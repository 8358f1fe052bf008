import type { Schedule } from "@docket/core/schema"
import { z } from "zod"
import { procedure } from "../trpc.ts"
import { ScheduleRef } from "./input.ts"

const Input = z.object({ schedule: ScheduleRef, status: z.enum(["active", "paused", "canceled"]) })

/** Pauses, resumes or cancels. A schedule that has ended stays so. */
export const setScheduleStatus = procedure
  .input(Input)
  .mutation(({ ctx, input }): Promise<Schedule> => ctx.runtime.schedule.setStatus(input.schedule, input.status))
