import { z } from "zod"
import { Caller } from "./caller.ts"
import { MemoryID, ProjectID, SessionID } from "./ids.ts"

export const MemoryType = z.enum(["user", "feedback", "project", "reference", "learning", "context"])
export type MemoryType = z.infer<typeof MemoryType>

/** A fact worth keeping between turns, of a project or of one session. Times are epoch ms. */
export const Memory = z.object({
  id: MemoryID,
  /** Counts per tenant; what inline commands show as `#281`. */
  number: z.number().int().positive(),
  projectID: ProjectID.nullable(),
  sessionID: SessionID.nullable(),
  type: MemoryType,
  title: z.string().min(1).max(200),
  content: z.string().max(65_536),
  /** Where the fact comes from, in words; empty when nobody said. */
  source: z.string().max(200),
  tags: z.array(z.string().min(1).max(64)).max(32),
  /** The agent that recorded it; null when no agent did. */
  agent: z.string().nullable(),
  /** The person who last recorded or changed it. */
  by: Caller.optional(),
  /** Set when the entry no longer holds; it is kept for history. */
  invalidatedAt: z.number().nullable(),
  time: z.object({ created: z.number(), updated: z.number() }),
})
export type Memory = z.infer<typeof Memory>
