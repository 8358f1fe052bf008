import { type Memory, MemoryType, SessionID } from "@docket/core/schema"
import { z } from "zod"

/**
 * A memory entry as `/v1/memory/entries` shows it. Times are epoch seconds. `conversation_id` is the root session that
 * it belongs to, or null when other conversations see it too; `project_id` is null without a project.
 */
export const WireMemory = z.object({
  id: z.number().int().positive(),
  type: MemoryType,
  title: z.string(),
  content: z.string(),
  source: z.string(),
  tags: z.array(z.string()),
  artifact_id: z.string().nullable().describe("always null: there are no artifacts"),
  conversation_id: SessionID.nullable(),
  project_id: z.string().nullable(),
  agent_id: z.string(),
  valid_from: z.number().int(),
  valid_to: z.number().int().nullable(),
  created_at: z.number().int(),
  updated_at: z.number().int(),
})
export type WireMemory = z.infer<typeof WireMemory>

const Type = z.enum(MemoryType.options, { error: `type must be one of: ${MemoryType.options.join(", ")}` })
const titleError = "title must have 1 to 200 characters"
const Fields = z.object({
  type: Type,
  title: z
    .string({ error: "required field: title" })
    .trim()
    .min(1, { error: titleError })
    .max(200, { error: titleError }),
  content: z.string().max(65_536, { error: "content is longer than 64 KiB" }),
  source: z.string().max(200, { error: "source is longer than 200 characters" }),
  tags: z.array(z.string().trim().min(1).max(64), { error: "tags must be an array of strings" }).max(32),
})

export const WireMemoryInput = Fields.partial({ content: true, source: true, tags: true }).extend({
  content: Fields.shape.content.default(""),
  conversation_id: z.union([z.literal(0), z.string(), z.number()]).default(0),
})

export const WireMemoryPatch = Fields.partial()

export function toWireMemory(memory: Memory): WireMemory {
  return {
    id: memory.number,
    type: memory.type,
    title: memory.title,
    content: memory.content,
    source: memory.source,
    tags: memory.tags,
    artifact_id: null,
    conversation_id: memory.sessionID,
    project_id: memory.projectID,
    agent_id: memory.agent ?? "",
    valid_from: toSeconds(memory.time.created),
    valid_to: memory.invalidatedAt === null ? null : toSeconds(memory.invalidatedAt),
    created_at: toSeconds(memory.time.created),
    updated_at: toSeconds(memory.time.updated),
  }
}

function toSeconds(milliseconds: number): number {
  return Math.floor(milliseconds / 1_000)
}
