import { MAX_OUTPUT_BYTES } from "@docket/core/output-limits"
import { z } from "zod"
import { plain, plainSchema } from "./plain-text.ts"

/** Characters of a description that models read, and of a schema. */
const longest = { name: 256, description: 2_048, schema: 64_000 } as const

/** A tool of a server as it is kept: what it says of itself, within bounds. */
export const ServerTool = z.object({
  name: z.string().min(1).max(longest.name),
  title: z.string().optional(),
  description: z.string(),
  inputSchema: z.record(z.string(), z.unknown()),
  outputSchema: z.record(z.string(), z.unknown()).optional(),
  /** What it says of itself: it changes nothing; it may destroy; it reaches others. */
  readsOnly: z.boolean(),
  destroys: z.boolean(),
  isOpen: z.boolean(),
  /** It wants to be offered at once, however many tools there are. */
  isEager: z.boolean(),
  /** It can only be called as a task. */
  isTask: z.boolean(),
  /** Bytes of an output that it wants models to read, where that is more than usual. */
  longestOutput: z.number().optional(),
})
export type ServerTool = z.infer<typeof ServerTool>

/** As the SDK gives it; only what is read here. */
const Listed = z.object({
  name: z.string().min(1).max(longest.name),
  title: z.string().optional(),
  description: z.string().optional(),
  inputSchema: z.record(z.string(), z.unknown()),
  outputSchema: z.record(z.string(), z.unknown()).optional(),
  annotations: z
    .object({
      title: z.string().optional(),
      readOnlyHint: z.boolean().optional(),
      destructiveHint: z.boolean().optional(),
      openWorldHint: z.boolean().optional(),
    })
    .optional()
    .catch(undefined),
  execution: z.object({ taskSupport: z.string().optional() }).optional().catch(undefined),
  _meta: z.record(z.string(), z.unknown()).optional().catch(undefined),
})

/** Reads a tool of a list; or says why it is left out. */
export function readServerTool(value: unknown): ServerTool | { problem: string } {
  const read = Listed.safeParse(value)
  if (!read.success) {
    const name = typeof value === "object" && value !== null && "name" in value ? String(value.name).slice(0, 64) : ""
    return { problem: `The tool "${name}" is left out: ${read.error.issues[0]?.message ?? "it cannot be read"}.` }
  }
  const { name, title, description = "", inputSchema, outputSchema, annotations = {}, execution, _meta } = read.data
  if (JSON.stringify([inputSchema, outputSchema]).length > longest.schema)
    return { problem: `The tool "${name}" is left out: its schema has more than ${longest.schema} characters.` }
  const shown = plainSchema(inputSchema)
  if (shown === null)
    return { problem: `The tool "${plain(name)}" is left out: a name in its schema has characters that nobody sees.` }
  const readsOnly = annotations.readOnlyHint === true
  return {
    name,
    ...((title ?? annotations.title) && { title: plain(title ?? annotations.title ?? "").slice(0, 200) }),
    description: plain(description).slice(0, longest.description),
    inputSchema: { ...shown, type: "object" },
    ...(outputSchema && { outputSchema }),
    readsOnly,
    destroys: !readsOnly && annotations.destructiveHint !== false,
    isOpen: annotations.openWorldHint !== false,
    isEager: _meta?.["anthropic/alwaysLoad"] === true,
    isTask: execution?.taskSupport === "required",
    ...longestOutput(_meta?.["anthropic/maxResultSizeChars"]),
  }
}

/** Bytes of an output that models read at most, whatever a tool wants. */
const mostOutput = 204_800

/** A wish counts only where it is above what all tools have. */
function longestOutput(wanted: unknown): { longestOutput?: number } {
  if (typeof wanted !== "number" || !(wanted > MAX_OUTPUT_BYTES)) return {}
  return { longestOutput: Math.min(Math.floor(wanted), mostOutput) }
}
