import { type Project, ProjectID } from "@docket/core/schema"
import { z } from "zod"
import { procedure } from "../trpc.ts"

export const getProject = procedure
  .input(z.object({ projectID: ProjectID }))
  .query(({ ctx, input }): Promise<Project> => ctx.runtime.project.get(input.projectID))
