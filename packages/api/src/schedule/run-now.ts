import type { ScheduleRun } from "@docket/core/schema"
import { z } from "zod"
import { procedure } from "../trpc.ts"
import { ScheduleRef } from "./input.ts"

/** Runs a schedule at once, whatever its status. Answers when the prompt is queued or refused. */
export const runScheduleNow = procedure
  .input(z.object({ schedule: ScheduleRef }))
  .mutation(({ ctx, input }): Promise<ScheduleRun> => ctx.runtime.schedule.runNow(input.schedule))
