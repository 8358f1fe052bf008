import { ModelRef, ProjectID, type Session } from "@docket/core/schema"
import { z } from "zod"
import { procedure } from "../trpc.ts"

const Input = z.object({
  projectID: ProjectID,
  title: z.string().trim().min(1).max(200).optional(),
  agent: z.string().optional(),
  model: ModelRef.optional(),
  variant: z.string().min(1).optional(),
})

/** Starts a root session on a project. */
export const createSession = procedure
  .input(Input)
  .mutation(({ ctx, input }): Promise<Session> => ctx.runtime.session.create(input))
