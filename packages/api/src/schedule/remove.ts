import { z } from "zod"
import { procedure } from "../trpc.ts"
import { ScheduleRef } from "./input.ts"

/** Removes a schedule with its history. A run that goes on does so. */
export const removeSchedule = procedure
  .input(z.object({ schedule: ScheduleRef }))
  .mutation(({ ctx, input }): Promise<void> => ctx.runtime.schedule.remove(input.schedule))
