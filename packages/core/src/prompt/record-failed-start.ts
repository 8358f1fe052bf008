import { noTokens } from "../message/token-usage.ts"
import type { AssistantMessage, MessageError, Turn } from "../schema/index.ts"
import { createTranscript } from "./transcript.ts"
import type { LoopDeps } from "./turn-context.ts"
import { createTurnWriter } from "./turn-writer.ts"
import { writeUserMessage } from "./write-user-message.ts"

const noModel = { providerID: "none", modelID: "none" }

/**
 * Stores the prompt of a turn that could not start (its agent or its directory is gone) with an answer
 * that says why, so that the user's words are not lost.
 */
export async function recordFailedStart(deps: LoopDeps, turn: Turn, error: MessageError): Promise<void> {
  const session = await deps.store.session.get(turn.sessionID)
  if (session === null || turn.messageID !== null) return
  const fence = { turnID: turn.id, epoch: turn.epoch }
  const writer = createTurnWriter({ ...deps, session, transcript: createTranscript([]), fence })
  const agent = { name: turn.input.agent ?? session.agent }
  const model = turn.input.model ?? session.model ?? noModel
  const variant = turn.input.variant ?? null
  const said = { session, agent, model, variant, writer }
  const user = writeUserMessage(deps, said, turn.input.parts, turn.input.system)
  const now = deps.clock()
  const answer: AssistantMessage = {
    id: deps.createID("message"),
    sessionID: session.id,
    role: "assistant",
    parentID: user.id,
    agent: agent.name,
    model,
    finish: null,
    error,
    cost: 0,
    tokens: noTokens,
    time: { created: now, completed: now },
  }
  await writer.message(answer)
  await writer.settled()
}
