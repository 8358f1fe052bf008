import { ModelRef, ProjectID } from "@docket/core/schema"
import { z } from "zod"

export { SessionInput } from "@docket/core/operations"

export const ProjectInput = z.object({ projectID: ProjectID })
/** One project, or none for what holds without one. */
export const MaybeProjectInput = z.object({ projectID: ProjectID.optional() })

/** A todo, memory or schedule by id or by its number. */
export const ItemRef = z.union([z.string().min(1).max(100), z.number().int().positive()])

/** What a new session starts with and a later one may change. */
export const SessionFields = z.object({
  title: z.string().trim().min(1).max(200).optional(),
  agent: z.string().optional(),
  model: ModelRef.optional(),
})
