import { ModelRef, ProjectID, Schedule, SessionID } from "@docket/core/schema"
import { z } from "zod"
import { procedure } from "../trpc.ts"
import { When } from "./input.ts"

const Input = z.object({
  projectID: ProjectID,
  /** The session to prompt; without it each run starts a new one. */
  sessionID: SessionID.optional(),
  when: When,
  message: z.string().trim().min(1).max(100_000),
  agent: z.string().optional(),
  model: ModelRef.optional(),
  missed: Schedule.shape.missed.optional(),
})

export const createSchedule = procedure
  .input(Input)
  .mutation(({ ctx, input }): Promise<Schedule> => ctx.runtime.schedule.create(input))
