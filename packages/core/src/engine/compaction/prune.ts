import type { MessageWithParts, ToolPart } from "../../ground/schema/index.ts"
import type { TurnContext } from "../loop/turn-context.ts"
import type { Stamp } from "../loop/write-message.ts"
import { unitsPerToken } from "./overflow.ts"

/** The newest turns keep their tool outputs, whatever their size. */
const keptTurns = 2

/** Tokens of older tool output that the model keeps as well. */
const protectedTokens = 40_000

/** Freeing fewer tokens is not worth it, because a changed transcript invalidates the provider's cache. */
const minimumTokens = 20_000

/**
 * The calls whose output the model no longer needs, oldest first; empty when they would not free enough. A call keeps
 * its place in the transcript and its stored output: the model reads that the output was cleared, and may call again.
 * Outputs of `skill` stay, because their instructions apply all the time.
 */
export function prunableCalls(transcript: MessageWithParts[]): ToolPart[] {
  const found: ToolPart[] = []
  let turns = 0
  let seen = 0
  let freed = 0
  for (const { info, parts } of transcript.toReversed()) {
    // Messages that Docket wrote during a turn do not start another turn.
    if (info.role === "user" && parts.some((part) => part.type === "text" && !part.synthetic)) turns++
    if (turns < keptTurns) continue
    for (const part of parts.toReversed()) {
      if (part.type !== "tool" || part.state.status !== "completed") continue
      if (part.state.time.compacted !== undefined || part.tool === "skill") continue
      // The model reads it in the output of its batch.
      if (part.batchID !== undefined) continue
      const tokens = part.state.output.length / unitsPerToken
      seen += tokens
      if (seen <= protectedTokens) continue
      freed += tokens
      found.push(part)
    }
  }
  return freed >= minimumTokens ? found.reverse() : []
}

/** Clears old tool outputs from the model's transcript. @returns whether enough was cleared */
export async function prune(deps: Pick<Stamp, "clock">, turn: TurnContext): Promise<boolean> {
  const calls = prunableCalls(turn.transcript.all())
  if (calls.length === 0) return false
  const now = deps.clock()
  for (const call of calls) {
    if (call.state.status !== "completed") continue
    const state = { ...call.state, time: { ...call.state.time, compacted: now } }
    void turn.writer.part({ ...call, state })
  }
  await turn.writer.settled()
  return true
}
