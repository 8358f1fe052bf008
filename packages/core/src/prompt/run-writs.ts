import type { TodoChangeOrigin } from "../runtime-port.ts"
import type { TextPart } from "../schema/index.ts"
import type { PermissionAsk } from "../tool/tool.ts"
import { startMessage } from "./start-message.ts"
import type { LoopDeps, TurnContext } from "./turn-context.ts"
import { writeUserMessage } from "./write-user-message.ts"

/** Times that results of writs lead to another step of one turn (as in Arbiter, the source of the protocol). */
const maxWritRounds = 6

/**
 * Carries out the writs in an answer's text and writes their results as a user message.
 * @returns whether the model should read them in another step
 */
export async function runAnswerWrits(
  deps: LoopDeps,
  turn: TurnContext,
  answer: { messageID: string; finished: boolean },
): Promise<boolean> {
  const parts = turn.transcript.get(answer.messageID)?.parts ?? []
  const texts = parts.filter((part): part is TextPart => part.type === "text")
  const results: string[] = []
  for (const [index, part] of texts.entries()) {
    const by: TodoChangeOrigin = {
      actor: { kind: "agent", name: turn.agent.name },
      messageID: answer.messageID,
      partID: part.id,
    }
    const finished = answer.finished || index < texts.length - 1
    const ask = (request: PermissionAsk) =>
      deps.desk.ask({ ...turn, messageID: answer.messageID, callID: part.id, request })
    const context = { sessionID: turn.session.id, by, signal: turn.signal, finished, ask }
    // It waits for a person or for tasks, if for anything.
    const ran = await turn.work.rest(() => deps.writs.run(part.text, context))
    if (ran.results !== null) results.push(ran.results)
  }
  if (results.length === 0) return false
  turn.userMessage = writeUserMessage(deps, turn, [{ type: "text", text: results.join("\n"), synthetic: true }])
  await turn.writer.settled()
  turn.writRounds += 1
  return turn.writRounds <= maxWritRounds
}

/**
 * Carries out the writs that a person typed. Their results go to the model with the prompt; when the prompt
 * is nothing but writs, they are the answer and no model is asked. Runs at the first attempt of a turn only,
 * after the user message is stored, so that a crash never repeats them.
 */
export async function runPromptWrits(deps: LoopDeps, turn: TurnContext): Promise<void> {
  if (turn.turn.attempt > 1 || turn.session.parentID !== null) return
  const parts = turn.transcript.get(turn.userMessage.id)?.parts ?? []
  const typed = parts.filter((part): part is TextPart => part.type === "text" && part.synthetic !== true)
  if (!typed.some((part) => deps.writs.find(part.text, { finished: true }).writs.length > 0)) return
  await turn.writer.settled()
  const results: string[] = []
  let rest = ""
  for (const part of typed) {
    const by: TodoChangeOrigin = { actor: { kind: "user", name: "user" }, messageID: part.messageID, partID: part.id }
    const context = { sessionID: turn.session.id, by, signal: turn.signal, finished: true }
    const ran = await deps.writs.run(part.text, context)
    rest += ran.rest
    if (ran.results !== null) results.push(ran.results)
  }
  const text = results.join("\n")
  if (rest.trim() === "" && parts.length === typed.length) return answerWith(deps, turn, text)
  const { id: messageID, sessionID } = turn.userMessage
  const part: TextPart = { id: deps.createID("part"), sessionID, messageID, type: "text", text, synthetic: true }
  await turn.writer.part(part)
}

async function answerWith(deps: LoopDeps, turn: TurnContext, text: string): Promise<void> {
  const message = startMessage(deps, turn)
  const part: TextPart = {
    id: deps.createID("part"),
    sessionID: message.sessionID,
    messageID: message.id,
    type: "text",
    text,
  }
  void turn.writer.part(part).catch(() => {})
  await turn.writer.message({ ...message, finish: "stop", time: { ...message.time, completed: deps.clock() } })
}
