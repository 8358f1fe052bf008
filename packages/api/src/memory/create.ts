import { type Memory, ProjectID, SessionID } from "@docket/core/schema"
import { procedure } from "../trpc.ts"
import { MemoryFields } from "./input.ts"

const Input = MemoryFields.extend({ projectID: ProjectID.optional(), sessionID: SessionID.optional() })

/** Records a fact of a session's conversation, of a project, or of everyone when neither is named. */
export const createMemory = procedure
  .input(Input)
  .mutation(({ ctx, input }): Promise<Memory> => ctx.runtime.memory.create(input))
