import { type Memory, MemoryType, ProjectID, SessionID } from "@docket/core/schema"
import { z } from "zod"
import { procedure } from "../trpc.ts"

const Time = z.number().int().nonnegative()

const Input = z.object({
  q: z.string().max(1_000).optional(),
  projectID: ProjectID.optional(),
  sessionID: SessionID.optional(),
  types: z.array(MemoryType).optional(),
  tag: z.string().max(64).optional(),
  /** Invalidated ones too. */
  all: z.boolean().optional(),
  asOf: Time.optional(),
  since: Time.optional(),
  before: Time.optional(),
  limit: z.number().int().min(1).max(200).optional(),
})

/** Entries that a project or a session's conversation sees; best first with `q`, else most recently changed first. */
export const searchMemory = procedure
  .input(Input)
  .query(({ ctx, input }): Promise<Memory[]> => ctx.runtime.memory.search(input))
