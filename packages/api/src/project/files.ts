import { ProjectID } from "@docket/core/schema"
import { z } from "zod"
import { procedure } from "../trpc.ts"

const Input = z.object({
  projectID: ProjectID,
  query: z.string().max(500),
  limit: z.number().int().min(1).max(200).default(20),
})

/** Files that match `query`, best first, relative to the project's directory. */
export const projectFiles = procedure
  .input(Input)
  .query(({ ctx, input }): Promise<string[]> => ctx.runtime.project.files(input.projectID, input.query, input.limit))
