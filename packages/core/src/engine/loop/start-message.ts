import { noTokens } from "../../ground/message/token-usage.ts"
import type { AssistantMessage } from "../../ground/schema/index.ts"
import type { Stamp } from "./stamp.ts"
import type { TurnContext } from "./turn-context.ts"

/** Writes the assistant message of a step that begins. */
export function startMessage(
  deps: Stamp,
  turn: TurnContext,
  more: Pick<AssistantMessage, "forCommand"> = {},
): AssistantMessage {
  const message: AssistantMessage = {
    id: deps.createID("message"),
    sessionID: turn.session.id,
    role: "assistant",
    parentID: turn.userMessage.id,
    agent: turn.agent.name,
    model: turn.model,
    ...(turn.variant !== null && { variant: turn.variant }),
    ...more,
    finish: null,
    error: null,
    cost: 0,
    tokens: noTokens,
    time: { created: deps.clock(), completed: null },
  }
  void turn.writer.message(message)
  void turn.writer.part({
    id: deps.createID("part"),
    sessionID: message.sessionID,
    messageID: message.id,
    type: "step-start",
  })
  return message
}
