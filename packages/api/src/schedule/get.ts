import type { Schedule } from "@docket/core/schema"
import { z } from "zod"
import { procedure } from "../trpc.ts"
import { ScheduleRef } from "./input.ts"

export const getSchedule = procedure
  .input(z.object({ schedule: ScheduleRef }))
  .query(({ ctx, input }): Promise<Schedule> => ctx.runtime.schedule.get(input.schedule))
