import type { PermissionAsk } from "../../acts/permission/judge.ts"
import { noticeOf } from "../../ground/message/notice-of.ts"
import type { TextPart } from "../../ground/schema/index.ts"
import type { TodoChangeOrigin } from "../../records/todo/todo-service.ts"
import type { TurnContext } from "../loop/turn-context.ts"
import type { WritAnswer } from "../loop/writ-runner.ts"
import { writeUserMessage } from "../loop/write-user-message.ts"
import { closeWritRecord, isWritRecord, joinAnswers, recordWrits } from "./writ-record.ts"
import type { WritsDeps } from "./writs-deps.ts"

/** Times that results of writs lead to another step of one turn (as in Arbiter, the source of the protocol). */
const maxWritRounds = 6

interface Answer {
  messageID: string
  /** False when the output limit cut it. */
  finished: boolean
}

/**
 * Carries out the writs in an answer's text and writes their results as a user message.
 * @returns whether the model should read them in another step
 */
export async function runAnswerWrits(deps: WritsDeps, turn: TurnContext, answer: Answer): Promise<boolean> {
  const parts = turn.transcript.get(answer.messageID)?.parts ?? []
  const texts = parts.filter((part): part is TextPart => part.type === "text")
  const isFinished = (index: number) => answer.finished || index < texts.length - 1
  const found = texts.filter((part, index) => deps.writs.find(part.text, { finished: isFinished(index) }).writs.length)
  if (found.length === 0) return false
  turn.userMessage = writeUserMessage(deps, turn, [])
  await recordWrits(deps, turn, {
    message: turn.userMessage,
    async run() {
      const answers: WritAnswer[] = []
      for (const part of found) {
        const by: TodoChangeOrigin = {
          actor: { kind: "agent", name: turn.agent.name },
          messageID: answer.messageID,
          partID: part.id,
        }
        const ask = async (request: PermissionAsk) =>
          void (await deps.broker.ask({ ...turn, messageID: answer.messageID, callID: part.id, request }))
        const finished = isFinished(texts.indexOf(part))
        const context = { sessionID: turn.session.id, by, turn: turn.turn, signal: turn.signal, finished, ask }
        // It waits for a person or for tasks, if for anything.
        const ran = await turn.work.rest(() => deps.writs.run(part.text, context))
        if (ran.answer !== null) answers.push(ran.answer)
      }
      return joinAnswers(answers)
    },
  })
  await turn.writer.settled()
  turn.writRounds += 1
  return turn.writRounds <= maxWritRounds
}

/**
 * After a crash: carries out the writs of the last answer if they were never begun, and says of those that were
 * begun and never ended that they may have taken effect.
 */
export async function resumeAnswerWrits(deps: WritsDeps, turn: TurnContext): Promise<void> {
  if (turn.turn.attempt === 1) return
  const earlier = turn.transcript.all().filter(({ info }) => info.id < turn.userMessage.id)
  for (const { info, parts } of earlier.toReversed()) {
    if (info.role === "user") {
      for (const part of parts.filter(isWritRecord)) closeWritRecord(turn, part)
      if (parts.every((part) => noticeOf(part)?.kind === "restarted")) continue
      return
    }
    const isWhole = info.error === null || info.finish === "length"
    const ended = info.time.completed !== null && isWhole && info.finish !== null && !info.summary
    // A call that the user rejected ends the turn, and its writs with it.
    const failed = parts.some((part) => part.type === "tool" && part.state.status === "error")
    if (ended && !failed) await runAnswerWrits(deps, turn, { messageID: info.id, finished: info.finish !== "length" })
    return
  }
}
