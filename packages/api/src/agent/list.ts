import { type Agent, ProjectID } from "@docket/core/schema"
import { z } from "zod"
import { procedure } from "../trpc.ts"

export const listAgents = procedure
  .input(z.object({ projectID: ProjectID }))
  .query(({ ctx, input }): Promise<Agent[]> => ctx.runtime.agent.list(input.projectID))
