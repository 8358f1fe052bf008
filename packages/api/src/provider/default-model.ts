import { type ModelRef, ProjectID } from "@docket/core/schema"
import { z } from "zod"
import { procedure } from "../trpc.ts"

/** The model that a new session gets. */
export const defaultModel = procedure
  .input(z.object({ projectID: ProjectID.optional() }))
  .query(({ ctx, input }): Promise<ModelRef> => ctx.runtime.provider.defaultModel(input.projectID))
