import { z } from "zod"

// What Claude Code writes down of a session, a JSON value a line, as far as it is carried over. The form is not
// described by its makers: what is not as here is counted and left out.

const Text = z.object({ type: z.literal("text"), text: z.string() })

const Block = z.discriminatedUnion("type", [
  Text,
  z.object({
    type: z.literal("image"),
    source: z.object({ type: z.literal("base64"), media_type: z.string(), data: z.string() }),
  }),
  z.object({ type: z.literal("thinking"), thinking: z.string() }),
  z.object({ type: z.literal("tool_use"), id: z.string(), name: z.string(), input: z.unknown() }),
  z.object({
    type: z.literal("tool_result"),
    tool_use_id: z.string(),
    content: z.union([z.string(), z.array(z.unknown())]).optional(),
    is_error: z.boolean().nullish(),
  }),
])
export type ClaudeBlock = z.infer<typeof Block>

const Count = z.number().int().nonnegative().catch(0).default(0)

/** A line that is a message: what a person, a tool or the model said. Several lines are one answer of the model. */
export const ClaudeLine = z.object({
  type: z.enum(["user", "assistant"]),
  uuid: z.string(),
  parentUuid: z.string().nullish(),
  isSidechain: z.boolean().nullish(),
  isMeta: z.boolean().nullish(),
  isCompactSummary: z.boolean().nullish(),
  agentId: z.string().nullish(),
  timestamp: z.string(),
  costUSD: z.number().nonnegative().nullish(),
  message: z.object({
    id: z.string().nullish(),
    model: z.string().nullish(),
    content: z.union([z.string(), z.array(z.unknown())]),
    stop_reason: z.string().nullish(),
    usage: z
      .object({
        input_tokens: Count,
        output_tokens: Count,
        cache_read_input_tokens: Count,
        cache_creation_input_tokens: Count,
      })
      .nullish(),
  }),
  toolUseResult: z.unknown().optional(),
})
export type ClaudeLine = z.infer<typeof ClaudeLine>

/** A line that says what the session is called. */
export const ClaudeTitle = z.union([
  z.object({ type: z.literal("summary"), summary: z.string() }).transform(({ summary }) => summary),
  z.object({ type: z.literal("custom-title"), customTitle: z.string() }).transform((line) => line.customTitle),
  z.object({ type: z.literal("ai-title"), aiTitle: z.string() }).transform(({ aiTitle }) => aiTitle),
])

/** The blocks of a message; null for one of an unknown kind. */
export function blocksOf({ message: { content } }: ClaudeLine): (ClaudeBlock | null)[] {
  if (typeof content === "string") return [{ type: "text", text: content }]
  return content.map((block) => Block.safeParse(block).data ?? null)
}

export function textsOf(content: string | readonly unknown[] | undefined): string {
  if (content === undefined || typeof content === "string") return content ?? ""
  return content.flatMap((block) => Text.safeParse(block).data?.text ?? []).join("\n")
}

/** Epoch ms; 0 when it cannot be read. */
export function timeOf({ timestamp }: ClaudeLine): number {
  const time = Date.parse(timestamp)
  return Number.isNaN(time) ? 0 : Math.max(time, 0)
}
