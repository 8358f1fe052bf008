import { mediaTokens } from "../../ground/message/kept-file.ts"
import type { MessageWithParts, ToolPart } from "../../ground/schema/index.ts"
import type { ToolState } from "../../ground/schema/part.ts"
import { readCallEnd, readToolCall } from "../../ground/schema/read-tool-call.ts"
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
      if (part.type !== "tool") continue
      const tokens = clearableTokens(part)
      if (tokens === null) continue
      seen += tokens
      if (seen <= protectedTokens) continue
      freed += tokens
      found.push(part)
    }
  }
  return freed >= minimumTokens ? found.reverse() : []
}

/** Tokens that the model reads of an ended call, about, if that may be cleared; null if it stays. */
function clearableTokens(part: ToolPart): number | null {
  // The model reads it in the output of its batch.
  if (part.batchID !== undefined) return null
  const { state } = part
  if (state.status === "error") {
    const showsFile = readCallEnd(part).seen !== undefined
    return showsFile && state.time.compacted === undefined ? state.error.length / unitsPerToken : null
  }
  if (state.status !== "completed" || state.time.compacted !== undefined || holdsSkill(part)) return null
  return resultTokens(state)
}

function holdsSkill(part: ToolPart): boolean {
  if (part.tool === "skill") return true
  const call = readToolCall(part)
  return call.tool === "batch" && (call.metadata?.calls ?? []).some(({ tool }) => tool === "skill")
}

/** Tokens of what a call returned, its files included, about. */
export function resultTokens({ output, attachments = [] }: Extract<ToolState, { status: "completed" }>): number {
  const files = attachments.reduce((sum, file) => sum + mediaTokens(file.mime, file), 0)
  return output.length / unitsPerToken + files
}

/** Clears old tool outputs from the model's transcript. @returns whether enough was cleared */
export async function prune(deps: Pick<Stamp, "clock">, turn: TurnContext): Promise<boolean> {
  const calls = prunableCalls(turn.transcript.all())
  if (calls.length === 0) return false
  const now = deps.clock()
  for (const call of calls) {
    const { state } = call
    if (state.status !== "completed" && state.status !== "error") continue
    void turn.writer.part({ ...call, state: { ...state, time: { ...state.time, compacted: now } } })
  }
  await turn.writer.settled()
  return true
}
