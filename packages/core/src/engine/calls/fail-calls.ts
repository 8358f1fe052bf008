import type { ToolPart } from "../../ground/schema/index.ts"
import type { TurnContext } from "../loop/turn-context.ts"
import type { Stamp } from "../loop/write-message.ts"

/** Refuses calls in data: each gets `reason` as its result. The caller waits with `writer.settled`. */
export function failCalls(
  deps: Pick<Stamp, "clock">,
  turn: Pick<TurnContext, "writer">,
  calls: ToolPart[],
  reason: string,
): void {
  const now = deps.clock()
  for (const call of calls) {
    const state = {
      status: "error",
      input: call.state.input,
      error: reason,
      metadata: {},
      time: { start: now, end: now },
    } as const
    void turn.writer.part({ ...call, state })
  }
}
