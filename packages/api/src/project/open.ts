import type { Project } from "@docket/core/schema"
import { z } from "zod"
import { procedure } from "../trpc.ts"

export const openProject = procedure
  .input(z.object({ directory: z.string().min(1).max(4_096) }))
  .mutation(({ ctx, input }): Promise<Project> => ctx.runtime.project.open(input.directory))
