import { isDeepStrictEqual } from "node:util"
import type { PermissionAsk } from "../../acts/permission/judge.ts"
import type { ToolPart } from "../../ground/schema/index.ts"
import type { TurnContext } from "../loop/turn-context.ts"

/** The same call this many times in a row needs the user's permission (specification of the doom loop). */
const doomLoopCalls = 3

/** Whether this call repeats the ones before it in this turn, with the same tool and the same input. */
export function isDoomLoop(turn: TurnContext, part: ToolPart): boolean {
  let same = 0
  for (const call of callsBack(turn)) {
    if (same === 0 && call.id !== part.id) continue
    // Batches repeat with the calls in them between, and these with their batches between.
    if ((call.batchID === undefined) !== (part.batchID === undefined)) continue
    if (call.tool !== part.tool || !isDeepStrictEqual(call.state.input, part.state.input)) return false
    same += 1
    if (same === doomLoopCalls) return true
  }
  return false
}

/** The calls of the turn, newest first, back to the message that the turn answers. */
function* callsBack({ transcript, userMessage }: TurnContext): Generator<ToolPart> {
  const messages = transcript.all()
  for (let index = messages.length - 1; index >= 0; index--) {
    const message = messages[index]
    if (message === undefined || message.info.id <= userMessage.id) return
    for (const part of message.parts.toReversed()) if (part.type === "tool") yield part
  }
}

export function doomLoopAsk(part: ToolPart): PermissionAsk {
  return {
    permission: "doom_loop",
    patterns: [part.tool],
    always: [part.tool],
    metadata: { kind: "repeat", tool: part.tool, input: part.state.input, times: doomLoopCalls },
  }
}
