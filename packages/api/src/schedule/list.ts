import { ProjectID, type Schedule } from "@docket/core/schema"
import { z } from "zod"
import { procedure } from "../trpc.ts"

/** Schedules of a project or of all, newest first. */
export const listSchedules = procedure
  .input(z.object({ projectID: ProjectID.optional() }))
  .query(({ ctx, input }): Promise<Schedule[]> => ctx.runtime.schedule.list(input.projectID))
