import type { MessageWithParts, ToolPart } from "../../ground/schema/index.ts"
import type { TurnContext } from "../loop/turn-context.ts"
import type { Stamp } from "../loop/write-message.ts"
import { unitsPerToken } from "./overflow.ts"

/** The newest turns keep their tool outputs whatever their size. */
const keptTurns = 2

/** Tool output before those turns that the model keeps as well (tokens). */
const protectedTokens = 40_000

/** Less than this is not worth it: a changed transcript loses the provider's cache (tokens). */
const minimumTokens = 20_000

/**
 * The calls whose output the model can do without, oldest first; none when they would not free enough. A call keeps
 * its place in the transcript and its stored output: the model reads that it was cleared and may call again. What a skill
 * says is to be followed all along and stays.
 */
export function prunableCalls(transcript: MessageWithParts[]): ToolPart[] {
  const found: ToolPart[] = []
  let turns = 0
  let seen = 0
  let freed = 0
  for (const { info, parts } of transcript.toReversed()) {
    // What Docket itself wrote during a turn does not begin another.
    if (info.role === "user" && parts.some((part) => part.type === "text" && !part.synthetic)) turns++
    if (turns < keptTurns) continue
    for (const part of parts.toReversed()) {
      if (part.type !== "tool" || part.state.status !== "completed") continue
      if (part.state.time.compacted !== undefined || part.tool === "skill") continue
      const tokens = part.state.output.length / unitsPerToken
      seen += tokens
      if (seen <= protectedTokens) continue
      freed += tokens
      found.push(part)
    }
  }
  return freed >= minimumTokens ? found.reverse() : []
}

/** Clears old tool outputs from what the model reads. @returns whether there was enough to clear */
export async function prune(deps: Pick<Stamp, "clock">, turn: TurnContext): Promise<boolean> {
  const calls = prunableCalls(turn.transcript.all())
  const now = deps.clock()
  for (const call of calls) {
    if (call.state.status !== "completed") continue
    const state = { ...call.state, time: { ...call.state.time, compacted: now } }
    void turn.writer.part({ ...call, state })
  }
  await turn.writer.settled()
  return calls.length > 0
}
