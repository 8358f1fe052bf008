import { ProjectID } from "@docket/core/schema"
import type { Page, SessionListItem } from "@docket/core/store"
import { z } from "zod"
import { procedure } from "../trpc.ts"

const Input = z.object({
  projectID: ProjectID.optional(),
  search: z.string().max(200).optional(),
  archived: z.boolean().optional(),
  limit: z.number().int().min(1).max(200).optional(),
  cursor: z.string().optional(),
})

/** Root sessions with the sums of their trees, most recently updated first. */
export const listSessions = procedure
  .input(Input)
  .query(({ ctx, input }): Promise<Page<SessionListItem>> => ctx.runtime.session.list(input))
