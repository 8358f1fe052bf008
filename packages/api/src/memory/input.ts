import { MemoryType } from "@docket/core/schema"
import { z } from "zod"

/** A memory by id or by its number. */
export const MemoryRef = z.union([z.string().min(1).max(100), z.number().int().positive()])

export const MemoryFields = z.object({
  type: MemoryType,
  title: z.string().trim().min(1).max(200),
  content: z.string().max(65_536),
  source: z.string().max(200).optional(),
  tags: z.array(z.string().trim().min(1).max(64)).max(32).optional(),
})
