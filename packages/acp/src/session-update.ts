import { z } from "zod"

const Content = z.discriminatedUnion("type", [
  z.object({ type: z.literal("text"), text: z.string() }),
  z.object({ type: z.literal("resource_link"), uri: z.string() }),
  z.object({ type: z.literal("resource"), resource: z.looseObject({ uri: z.string(), text: z.string().optional() }) }),
  z.object({ type: z.literal("image") }),
  z.object({ type: z.literal("audio") }),
])
export type Content = z.infer<typeof Content>

const ToolContent = z.discriminatedUnion("type", [
  z.object({ type: z.literal("content"), content: Content }),
  z.object({
    type: z.literal("diff"),
    path: z.string(),
    oldText: z.string().nullish(),
    newText: z.string(),
  }),
  z.object({ type: z.literal("terminal"), terminalId: z.string() }),
])
export type ToolContent = z.infer<typeof ToolContent>

/** The entries of a list that can be read. */
function readable<T extends z.ZodType>(item: T) {
  return z.array(z.unknown()).transform((all) =>
    all.flatMap((one) => {
      const read = item.safeParse(one)
      return read.success ? [read.data] : []
    }),
  )
}

/** A change of a call. What is left out stays as it is. */
export const ToolChange = z.object({
  toolCallId: z.string().min(1).max(500),
  title: z.string().nullish().catch(undefined),
  name: z.string().nullish().catch(undefined),
  kind: z.string().nullish().catch(undefined),
  status: z.enum(["pending", "in_progress", "completed", "failed"]).nullish().catch(undefined),
  content: readable(ToolContent).nullish().catch(undefined),
  locations: readable(z.object({ path: z.string() }))
    .nullish()
    .catch(undefined),
  rawInput: z.unknown().optional(),
  rawOutput: z.unknown().optional(),
})
export type ToolChange = z.infer<typeof ToolChange>

const PlanEntry = z.object({
  content: z.string(),
  status: z.enum(["pending", "in_progress", "completed"]).catch("pending"),
  priority: z.enum(["high", "medium", "low"]).catch("medium"),
})

const MessageId = z.string().nullish().catch(undefined)

/** The updates that are shown. Others are of no use here, or newer than this. */
const Update = z.discriminatedUnion("sessionUpdate", [
  z.object({ sessionUpdate: z.literal("agent_message_chunk"), content: Content, messageId: MessageId }),
  z.object({ sessionUpdate: z.literal("agent_thought_chunk"), content: Content, messageId: MessageId }),
  ToolChange.extend({ sessionUpdate: z.literal("tool_call") }),
  ToolChange.extend({ sessionUpdate: z.literal("tool_call_update") }),
  z.object({ sessionUpdate: z.literal("plan"), entries: readable(PlanEntry) }),
  z.object({
    sessionUpdate: z.literal("usage_update"),
    used: z.number().nonnegative().catch(0),
    size: z.number().nonnegative().catch(0),
    cost: z.object({ amount: z.number().nonnegative(), currency: z.string() }).nullish().catch(undefined),
  }),
])
export type Update = z.infer<typeof Update>

/** `session/update`, as far as it is read. Agents add to it, so that nothing of it is strict. */
export const SessionUpdate = z.object({ sessionId: z.string(), update: Update })
