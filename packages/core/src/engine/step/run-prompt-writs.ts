import type { MessageWithParts, Part, TextPart } from "../../ground/schema/index.ts"
import type { TodoChangeOrigin } from "../../records/todo/todo-service.ts"
import { startMessage } from "../loop/start-message.ts"
import type { TurnContext } from "../loop/turn-context.ts"
import type { WritAnswer } from "../loop/writ-runner.ts"
import { closeWritRecord, isWritRecord, joinAnswers, recordWrits } from "./writ-record.ts"
import type { WritsDeps } from "./writs-deps.ts"

/**
 * Carries out the writs that a person typed. Their results go to the model with the prompt; when the prompt
 * is nothing but writs, they are the answer and no model is asked. An attempt after a crash only carries out what
 * was never begun.
 * @returns whether the prompt is answered
 */
export async function runPromptWrits(deps: WritsDeps, turn: TurnContext): Promise<boolean> {
  const prompt = turn.transcript.get(turn.turn.messageID ?? "")
  if (prompt === undefined || turn.session.parentID !== null) return false
  // What was typed after a command is its own.
  if (turn.turn.input.parts.some(({ type }) => type === "command")) return false
  const parts: Part[] = prompt.parts.filter((part) => !isWritRecord(part))
  const typed = parts.filter((part): part is TextPart => part.type === "text" && part.synthetic !== true)
  const texts = typed.map((part) => deps.writs.find(part.text, { finished: true }))
  if (texts.every(({ writs }) => writs.length === 0)) return false
  await turn.writer.settled()
  const run = () => runTyped(deps, turn, typed)
  if (texts.some(({ rest }) => rest.trim() !== "") || parts.length > typed.length) {
    const record = prompt.parts.find(isWritRecord)
    if (record === undefined) await recordWrits(deps, turn, { message: prompt.info, run })
    else closeWritRecord(turn, record)
    return false
  }
  const answer = turn.transcript
    .all()
    .find(({ info, parts }) => info.role === "assistant" && info.id > prompt.info.id && parts.some(isWritRecord))
  if (answer === undefined) await answerWith(deps, turn, run)
  else closeAnswer(turn, answer)
  return true
}

async function runTyped(deps: WritsDeps, turn: TurnContext, typed: TextPart[]): Promise<WritAnswer> {
  const answers: WritAnswer[] = []
  for (const part of typed) {
    const by: TodoChangeOrigin = { actor: { kind: "user", name: "user" }, messageID: part.messageID, partID: part.id }
    const context = { sessionID: turn.session.id, by, turn: turn.turn, signal: turn.signal, finished: true }
    const ran = await deps.writs.run(part.text, context)
    if (ran.answer !== null) answers.push(ran.answer)
  }
  return joinAnswers(answers)
}

async function answerWith(deps: WritsDeps, turn: TurnContext, run: () => Promise<WritAnswer>): Promise<void> {
  const message = startMessage(deps, turn)
  await recordWrits(deps, turn, { message, run })
  await turn.writer.message({ ...message, finish: "stop", time: { ...message.time, completed: deps.clock() } })
}

/** An answer of an earlier attempt. Recovery closed it as interrupted; what it says is all there is to say. */
function closeAnswer(turn: TurnContext, { info, parts }: MessageWithParts): void {
  for (const part of parts.filter(isWritRecord)) closeWritRecord(turn, part)
  if (info.role === "assistant") void turn.writer.message({ ...info, finish: "stop", error: null })
}
