import type { MessageWithParts, Part, TextPart, UserMessage } from "@docket/core/schema"
import { z } from "zod"

const GivenPart = z.looseObject({
  id: z.string().optional(),
  type: z.string(),
  text: z.string().optional(),
  synthetic: z.boolean().optional(),
  state: z
    .looseObject({ input: z.unknown().optional(), output: z.string().optional(), error: z.string().optional() })
    .optional(),
})
type GivenPart = z.infer<typeof GivenPart>

/** A message with its parts, as a plugin leaves it. */
export const GivenMessage = z.looseObject({
  info: z.looseObject({ id: z.string().optional(), role: z.string().optional(), system: z.string().optional() }),
  parts: z.array(GivenPart).max(10_000),
})
export type GivenMessage = z.infer<typeof GivenMessage>

interface MergeDeps {
  createID(kind: "message" | "part"): string
  clock(): number
}

/** The parts that a plugin left, changed, removed or added, as parts of the message. Only texts can be added. */
export function mergeParts(deps: MergeDeps, message: MessageWithParts, given: readonly GivenPart[]): Part[] {
  const known = new Map(message.parts.map((part) => [part.id, part]))
  return given.flatMap((part): Part[] => {
    const before = part.id === undefined ? undefined : known.get(part.id)
    if (before !== undefined) return [changedPart(before, part)]
    if (part.type !== "text" || part.text === undefined || part.text === "") return []
    return [addedText(deps, message, part)]
  })
}

/** Of a part that is there, a plugin may change what a model reads of it. */
function changedPart(before: Part, { text, state }: GivenPart): Part {
  if (before.type === "text" || before.type === "reasoning")
    return text === undefined || text === before.text ? before : { ...before, text }
  if (before.type !== "tool" || state === undefined) return before
  const old = before.state
  if (old.status === "completed") {
    const output = state.output ?? old.output
    const input = "input" in state ? state.input : old.input
    return { ...before, state: { ...old, output, input } }
  }
  if (old.status !== "error") return before
  return {
    ...before,
    state: { ...old, error: state.error ?? old.error, input: "input" in state ? state.input : old.input },
  }
}

function addedText(deps: MergeDeps, { info }: MessageWithParts, { text = "", synthetic }: GivenPart): TextPart {
  const place = { id: deps.createID("part"), sessionID: info.sessionID, messageID: info.id }
  // People see that it was added, and nobody takes it for a notice of Docket.
  return { ...place, type: "text", text, ...(synthetic === true && { synthetic, addedBy: "client" as const }) }
}

/** The transcript as a plugin left it. A message that it added is one of the user's. */
export function mergeMessages(
  deps: MergeDeps,
  messages: readonly MessageWithParts[],
  given: readonly GivenMessage[],
): MessageWithParts[] {
  const known = new Map(messages.map((message) => [message.info.id, message]))
  const author = messages.findLast(({ info }) => info.role === "user")?.info ?? messages.at(-1)?.info
  return given.flatMap((one): MessageWithParts[] => {
    const before = one.info.id === undefined ? undefined : known.get(one.info.id)
    if (before !== undefined) return [{ info: before.info, parts: mergeParts(deps, before, one.parts) }]
    if (author === undefined) return []
    const info: UserMessage = {
      ...{ id: deps.createID("message"), sessionID: author.sessionID, role: "user" },
      ...{ agent: author.agent, model: author.model, time: { created: deps.clock() } },
    }
    const parts = mergeParts(deps, { info, parts: [] }, one.parts)
    return parts.length === 0 ? [] : [{ info, parts }]
  })
}
