import { noTokens } from "../../ground/message/token-usage.ts"
import type { AssistantMessage, MessageError, Session, Turn, UserMessage } from "../../ground/schema/index.ts"
import type { Mutation } from "../../ground/store/index.ts"
import { typedCommand } from "../loop/command-parts.ts"
import type { Stamp } from "../loop/stamp.ts"
import type { TurnContext } from "../loop/turn-context.ts"
import { writeUserMessage } from "../loop/write-user-message.ts"

const noModel = { providerID: "none", modelID: "none" }

/**
 * The prompt of a turn that could not start (its agent or its directory is gone, the disk was full) with an answer
 * that says why, so that the user's words are not lost.
 */
export function failedStart(deps: Stamp, turn: Turn, session: Session, error: MessageError): Mutation[] {
  const mutations: Mutation[] = []
  const put = async (mutation: Mutation) => void mutations.push(mutation)
  const writer: Pick<TurnContext["writer"], "message" | "part" | "commentsRead"> = {
    message: (value) => put({ kind: "message", value }),
    part: (value) => put({ kind: "part", value }),
    // No agent has: they may be sent again.
    commentsRead: () => {},
  }
  const agent = { name: turn.input.agent ?? session.agent }
  const model = turn.input.model ?? session.model ?? noModel
  const said = { session, agent, model, variant: turn.input.variant ?? null, writer }
  const parts = turn.input.parts.map((part) =>
    part.type === "command" ? ({ type: "text", text: typedCommand(part) } as const) : part,
  )
  const user = writeUserMessage(deps, said, parts, { system: turn.input.system, by: turn.by })
  return [...mutations, failedAnswer(deps, user, error)]
}

/** An answer to `prompt` that only says what went wrong. */
export function failedAnswer(deps: Stamp, prompt: UserMessage, error: MessageError): Mutation {
  const now = deps.clock()
  const value: AssistantMessage = {
    id: deps.createID("message"),
    sessionID: prompt.sessionID,
    role: "assistant",
    parentID: prompt.id,
    agent: prompt.agent,
    model: prompt.model,
    finish: null,
    error,
    cost: 0,
    tokens: noTokens,
    time: { created: now, completed: now },
  }
  return { kind: "message", value }
}
