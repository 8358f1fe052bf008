import type { PermissionAsk } from "../../acts/permission/judge.ts"
import type { PermissionBroker } from "../../acts/permission/permission-broker.ts"
import { commandsOf, noticeOf } from "../../ground/message/notice-of.ts"
import type { MessageWithParts, Notice, Part, TextPart } from "../../ground/schema/index.ts"
import { readCallEnd } from "../../ground/schema/read-tool-call.ts"
import type { TodoChangeOrigin } from "../../records/todo/todo-service.ts"
import type { InlineCommandAnswer, InlineCommandRunners } from "../loop/inline-command-runner.ts"
import { endsTurn } from "../loop/stop-reason.ts"
import type { TurnContext } from "../loop/turn-context.ts"
import { type Stamp, startMessage, writeUserMessage } from "../loop/write-message.ts"

/** How many steps per turn may only read results of inline commands (as in Arbiter, the protocol's source). */
const maxCommandRounds = 6

export interface InlineCommandsDeps extends Stamp {
  inlineCommands: InlineCommandRunners
  broker: Pick<PermissionBroker, "ask">
}

interface Answer {
  messageID: string
  /** False when the output limit cut the answer. */
  finished: boolean
}

/**
 * Runs the inline commands of an answer and writes their results as a user message.
 * @returns whether the model should read them in another step
 */
export async function runAnswerCommands(deps: InlineCommandsDeps, turn: TurnContext, answer: Answer): Promise<boolean> {
  const parts = turn.transcript.get(answer.messageID)?.parts ?? []
  const texts = parts.filter((part): part is TextPart => part.type === "text")
  // When the output limit cut an answer, only its last text is incomplete.
  const isFinished = (index: number) => answer.finished || index < texts.length - 1
  const found = texts.filter(
    (part, index) => deps.inlineCommands.find(part.text, { finished: isFinished(index) }).inlineCommands.length,
  )
  if (found.length === 0) return false
  turn.userMessage = writeUserMessage(deps, turn, [])
  await recordCommands(deps, turn, {
    message: turn.userMessage,
    async run() {
      const answers: InlineCommandAnswer[] = []
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
        // Inline commands wait only for a person or for tasks, so this does not count as work.
        const ran = await turn.time.pauseFor(() => deps.inlineCommands.run(part.text, context))
        if (ran.answer !== null) answers.push(ran.answer)
      }
      return joinAnswers(answers)
    },
  })
  await turn.writer.settled()
  turn.commandRounds += 1
  return turn.commandRounds <= maxCommandRounds
}

/**
 * After a crash: runs the inline commands of the last answer if they never started, and reports that started commands
 * without an end may have taken effect.
 */
export async function resumeAnswerCommands(deps: InlineCommandsDeps, turn: TurnContext): Promise<void> {
  if (turn.turn.attempt === 1) return
  const earlier = turn.transcript.all().filter(({ info }) => info.id < turn.userMessage.id)
  for (const { info, parts } of earlier.toReversed()) {
    if (info.role === "user") {
      for (const part of parts.filter(isCommandRecord)) closeCommandRecord(turn, part)
      if (parts.every((part) => noticeOf(part)?.kind === "restarted")) continue
      return
    }
    const isWhole = info.error === null || info.finish === "length"
    const ended = info.time.completed !== null && isWhole && info.finish !== null && !info.summary
    // A call that ends the turn leaves the inline commands beside it unrun.
    const over = parts.some((part) => endsTurn(part) || (part.type === "tool" && readCallEnd(part).rejected === true))
    if (ended && !over) await runAnswerCommands(deps, turn, { messageID: info.id, finished: info.finish !== "length" })
    return
  }
}

/**
 * Runs the inline commands that a person typed. Their results go to the model with the prompt. When the prompt contains
 * nothing else, they are the answer and no model is called. After a crash only commands that never started run.
 * @returns whether the prompt is answered
 */
export async function runPromptCommands(deps: InlineCommandsDeps, turn: TurnContext): Promise<boolean> {
  const prompt = turn.transcript.get(turn.turn.messageID ?? "")
  if (prompt === undefined || turn.session.parentID !== null) return false
  // Text after a command is the command's argument.
  if (turn.turn.input.parts.some(({ type }) => type === "command")) return false
  const parts: Part[] = prompt.parts.filter((part) => !isCommandRecord(part))
  const typed = parts.filter((part): part is TextPart => part.type === "text" && part.synthetic !== true)
  const texts = typed.map((part) => deps.inlineCommands.find(part.text, { finished: true }))
  if (texts.every(({ inlineCommands }) => inlineCommands.length === 0)) return false
  await turn.writer.settled()
  const run = () => runTyped(deps, turn, typed)
  if (texts.some(({ rest }) => rest.trim() !== "") || parts.length > typed.length) {
    const record = prompt.parts.find(isCommandRecord)
    if (record === undefined) await recordCommands(deps, turn, { message: prompt.info, run })
    else closeCommandRecord(turn, record)
    return false
  }
  const answer = turn.transcript
    .all()
    .find(({ info, parts }) => info.role === "assistant" && info.id > prompt.info.id && parts.some(isCommandRecord))
  if (answer === undefined) await answerWith(deps, turn, run)
  else closeAnswer(turn, answer)
  return true
}

async function runTyped(deps: InlineCommandsDeps, turn: TurnContext, typed: TextPart[]): Promise<InlineCommandAnswer> {
  const answers: InlineCommandAnswer[] = []
  for (const part of typed) {
    const by: TodoChangeOrigin = { actor: { kind: "user", name: "user" }, messageID: part.messageID, partID: part.id }
    const context = { sessionID: turn.session.id, by, turn: turn.turn, signal: turn.signal, finished: true }
    const ran = await deps.inlineCommands.run(part.text, context)
    if (ran.answer !== null) answers.push(ran.answer)
  }
  return joinAnswers(answers)
}

async function answerWith(
  deps: InlineCommandsDeps,
  turn: TurnContext,
  run: () => Promise<InlineCommandAnswer>,
): Promise<void> {
  const message = startMessage(deps, turn)
  await recordCommands(deps, turn, { message, run })
  await turn.writer.message({ ...message, finish: "stop", time: { ...message.time, completed: deps.clock() } })
}

/** An answer from an earlier attempt. Recovery closed it as interrupted, but it is complete. */
function closeAnswer(turn: TurnContext, { info, parts }: MessageWithParts): void {
  for (const part of parts.filter(isCommandRecord)) closeCommandRecord(turn, part)
  if (info.role === "assistant") void turn.writer.message({ ...info, finish: "stop", error: null })
}

const uncertain = "some of them may have taken effect. Look at how things stand before you repeat them."
const words = {
  running: "The commands above are being carried out.",
  stopped: `The commands above were stopped: ${uncertain}`,
  interrupted: `Docket was stopped while the commands above were carried out: ${uncertain}`,
} as const

/** The text and notice of a part without results. */
function recordWithoutResults(state: keyof typeof words): { text: string; notice: Notice } {
  return { text: words[state], notice: { kind: "commands", state, results: [] } }
}

/**
 * Runs inline commands between two writes of one part: their start and their results. So a crash never repeats them or
 * forgets a started one. The second write may still be pending when this resolves.
 */
async function recordCommands(
  deps: Pick<Stamp, "createID">,
  turn: TurnContext,
  { message, run }: { message: { id: string; sessionID: string }; run: () => Promise<InlineCommandAnswer> },
): Promise<void> {
  const part: TextPart = {
    id: deps.createID("part"),
    sessionID: message.sessionID,
    messageID: message.id,
    type: "text",
    synthetic: true,
    ...recordWithoutResults("running"),
  }
  void turn.writer.part(part)
  await turn.writer.settled()
  try {
    const { text, results } = await run()
    void turn.writer.part({ ...part, text, notice: { kind: "commands", state: "done", results } })
  } catch (error) {
    void turn.writer.part({ ...part, ...recordWithoutResults("stopped") })
    throw error
  }
}

/** Whether a part records inline commands: running, ended or interrupted. */
function isCommandRecord(part: Part): part is TextPart {
  return commandsOf(part) !== null
}

/** Marks inline commands as interrupted if their process ended while they ran. */
function closeCommandRecord(turn: TurnContext, part: TextPart): void {
  if (commandsOf(part)?.state === "running") void turn.writer.part({ ...part, ...recordWithoutResults("interrupted") })
}

/** Joins the results of several texts. */
function joinAnswers(answers: readonly InlineCommandAnswer[]): InlineCommandAnswer {
  return { text: answers.map(({ text }) => text).join("\n"), results: answers.flatMap(({ results }) => results) }
}
