import { ModelRef } from "@docket/core/schema"
import { z } from "zod"

export { MaybeProjectInput, ProjectInput, SessionInput } from "@docket/core/operations"

/** What a new session starts with and a later one may change. */
export const SessionFields = z.object({
  title: z.string().trim().min(1).max(200).optional(),
  agent: z.string().optional(),
  model: ModelRef.optional(),
})
