import type { Tool } from "../../acts/tool/tool.ts"
import { noticeOf } from "../../ground/message/notice-of.ts"
import { quoteFrames } from "../../ground/message/quote-frames.ts"
import { mergeRules } from "../../ground/rule/index.ts"
import type {
  CommandExpansion,
  MessageError,
  PromptPart,
  SubtaskPart,
  TaskError,
  TextPart,
  ToolPart,
} from "../../ground/schema/index.ts"
import { readCallEnd } from "../../ground/schema/read-tool-call.ts"
import { subtasksDoneText } from "../../setup/agent/prompts.ts"
import { findAgent } from "../../setup/agent/resolve-agents.ts"
import { executeCalls } from "../calls/execute-calls.ts"
import { compact } from "../compaction/compact.ts"
import { createRoomMaker } from "../compaction/make-room.ts"
import { prune } from "../compaction/prune.ts"
import type { CompactionDeps } from "../compaction/summarise.ts"
import { extensionPart, isExtensionText } from "../loop/extension-text.ts"
import { type OpenStep, openStep } from "../loop/open-step.ts"
import { noteParts, type SessionNotes } from "../loop/session-notes.ts"
import { endsTurn, rejectedError, stopError, stopStatus } from "../loop/stop-reason.ts"
import type { TurnContext } from "../loop/turn-context.ts"
import { type Stamp, startMessage, writeUserMessage } from "../loop/write-message.ts"
import { createProgramTurn, type ProgramDeps, type ProgramTurn } from "../program/program-turn.ts"
import type { Repositories } from "../repository/create-repositories.ts"
import { offeredTools } from "../step/offered-tools.ts"
import { resumeAnswerCommands, runPromptCommands } from "../step/run-inline-commands.ts"
import { resumeStep, runStep, type StepDeps, type StepOutcome } from "../step/run-step.ts"
import { hasSteered, readSteered, type SteeredDeps } from "./steered-prompts.ts"
import { turnOutput } from "./turn-output.ts"

export type RunTurnDeps = StepDeps &
  ProgramDeps &
  CompactionDeps &
  SteeredDeps & { notes: SessionNotes; repositories: Pick<Repositories, "stepEnded"> }

export type TurnEnd =
  | { status: "completed"; error: null; output?: unknown }
  | { status: "failed" | "aborted"; error: MessageError }

/**
 * The loop: first the subtasks of the prompt, then model steps until the agent stops, fails, is stopped or has used all
 * its steps. Failures are data; only a lost claim (StaleTurnError) and bugs are thrown.
 */
export async function runTurn(deps: RunTurnDeps, turn: TurnContext): Promise<TurnEnd> {
  // Its message is written, and nobody answers it.
  if (turn.turn.input.noReply === true) return { status: "completed", error: null }
  const end = await runToOutput(deps, turn)
  // Old outputs are cleared now, not in the middle of the next turn, where each step would have to be read anew.
  if (end.status === "completed" && turn.agent.program === undefined) await prune(deps, turn)
  return end
}

/** Runs the turn, and runs on while its answer does not fit the schema of its prompt. */
async function runToOutput(deps: RunTurnDeps, turn: TurnContext): Promise<TurnEnd> {
  const { outputSchema } = turn.turn.input
  while (true) {
    const end = await runSteps(deps, turn)
    if (end.status !== "completed" || outputSchema === undefined) return end
    const output = await turnOutput(deps, turn, outputSchema)
    if (output.kind === "fits") return { ...end, output: output.output }
    if (output.kind === "unfit") return { status: "failed", error: output.error }
  }
}

async function runSteps(deps: RunTurnDeps, turn: TurnContext): Promise<TurnEnd> {
  const program = turn.agent.program === undefined ? null : createProgramTurn(deps, turn)
  try {
    return await runStepsWith(deps, turn, program)
  } finally {
    await program?.end()
  }
}

/** @param program what makes the steps in place of a model */
async function runStepsWith(deps: RunTurnDeps, turn: TurnContext, program: ProgramTurn | null): Promise<TurnEnd> {
  const command = commandOf(turn)?.name
  if (command === "compact" && program !== null) return programKeeps(deps, turn)
  if (command === "compact") return compactNow(deps, turn)
  if (command === "shell") return shellNow(deps, turn)
  await completeCommand(deps, turn)
  const answered = await runPromptCommands(deps, turn)
  if (answered && !deps.notes.has(turn.session.id)) return { status: "completed", error: null }
  await resumeAnswerCommands(deps, turn)
  let offered = program === null ? await offeredTools(deps, turn) : []
  const ran = await runSubtasks(deps, turn, offered)
  if (ran === "rejected") return { status: "aborted", error: rejectedError }
  const room = createRoomMaker(deps, turn)
  const stops = { rounds: roundsBefore(turn) }
  let unfinished = openStep(turn.transcript)
  while (true) {
    const end = unfinished === null ? await endBefore(deps, turn) : null
    if (end !== null) return end
    turn.steps += 1
    const last = turn.agent.steps !== null && turn.steps >= turn.agent.steps
    // A program that was started for this turn may be ready by now.
    if (program === null && turn.steps > 1 && deps.toolSources.some((source) => source.hasOthers?.(turn)))
      offered = await offeredTools(deps, turn)
    const outcome: StepOutcome =
      program !== null
        ? await program.step(unfinished)
        : unfinished === null
          ? await runStep(deps, turn, { last, offered })
          : await resumeStep(deps, turn, unfinished, offered)
    unfinished = null
    await deps.repositories.stepEnded(turn)
    if (outcome.next === "failed") return failedEnd(turn, outcome.error)
    if (outcome.next !== "refused") {
      // A message that arrived during the last step still gets an answer.
      const mayEnd = last || !(deps.notes.has(turn.session.id) || (await hasSteered(deps, turn)))
      if (outcome.next === "stop" && mayEnd && !(await goesOn(deps, turn, { stops, last }))) {
        // Compacts now, while the conversation still fits: the next prompt would add to it.
        if (outcome.overflow) await room.forPrompt()
        return { status: "completed", error: null }
      }
      if (outcome.next === "rejected" && mayEnd) {
        if (outcome.overflow) await room.forPrompt()
        return { status: "aborted", error: rejectedError }
      }
      // Does not compact: the next prompt does, and after a summary the user would not see that the answer was cut.
      if (outcome.next === "cut" && mayEnd) return failedEnd(turn, outcome.error)
      if (last) return { status: "completed", error: null }
      if (!outcome.overflow) continue
    }
    const error = await room.forStep(outcome.next === "refused" ? outcome : null)
    if (error === "ends") return { status: "completed", error: null }
    if (error !== null) return failedEnd(turn, error)
  }
}

/** How often extensions may let one turn go on. */
const mostRounds = 8

/** How often extensions let the turn go on before a restart. */
function roundsBefore({ turn, transcript }: TurnContext): number {
  const begun = turn.messageID ?? ""
  return transcript.all().filter(({ info, parts }) => info.id > begun && parts.some(isExtensionText)).length
}

/** Tells extensions that the agent is done. Whether one lets the turn go on; its text is then written as a message. */
async function goesOn(
  deps: RunTurnDeps,
  turn: TurnContext,
  { stops, last }: { stops: { rounds: number }; last: boolean },
): Promise<boolean> {
  // A call that ends its turn hands the session to another agent.
  if (turn.signal.aborted || turn.transcript.all().at(-1)?.parts.some(endsTurn)) return false
  const texts = await deps.hooks.beforeStop(turn, stops)
  if (texts.length === 0 || last || stops.rounds >= mostRounds || turn.signal.aborted) return false
  stops.rounds += 1
  turn.userMessage = writeUserMessage(deps, turn, texts.map(extensionPart))
  await turn.writer.settled()
  return true
}

/** A program has the conversation, and makes room in it by itself. */
async function programKeeps(deps: Stamp, turn: TurnContext): Promise<TurnEnd> {
  const text = `${turn.agent.program} keeps this conversation itself, and Docket cannot shorten it. Start a new session, or go on.`
  const error: MessageError = { name: "UnknownError", message: text, statusCode: null, retryable: false }
  const message = startMessage(deps, turn)
  await turn.writer.message({ ...message, error, time: { ...message.time, completed: deps.clock() } })
  return failedEnd(turn, error)
}

/** The prompt asks for a summary of the conversation. */
async function compactNow(deps: RunTurnDeps, turn: TurnContext): Promise<TurnEnd> {
  if (turn.transcript.all().every(({ info }) => info.id === turn.userMessage.id)) return await nothingYet(deps, turn)
  const wish = commandOf(turn)?.arguments ?? ""
  const refusal = await deps.hooks.beforeCompaction(turn, { isAsked: true, wish })
  if (refusal !== null) {
    const refused: MessageError = { name: "UnknownError", message: refusal, statusCode: null, retryable: false }
    const message = startMessage(deps, turn)
    await turn.writer.message({ ...message, error: refused, time: { ...message.time, completed: deps.clock() } })
    return failedEnd(turn, refused)
  }
  const error = await compact(deps, turn, { auto: false, tail: true })
  return error === null ? { status: "completed", error: null } : failedEnd(turn, error)
}

/** Answers a request for a summary when the session has no messages yet. */
async function nothingYet(deps: Stamp, turn: TurnContext): Promise<TurnEnd> {
  const message = startMessage(deps, turn)
  const place = { id: deps.createID("part"), sessionID: message.sessionID, messageID: message.id }
  const now = deps.clock()
  const text = "There is nothing to summarise: nothing was said in this session yet."
  void turn.writer.part({ ...place, type: "text", text, time: { start: now, end: now } })
  await turn.writer.message({ ...message, finish: "stop", time: { ...message.time, completed: now } })
  return { status: "completed", error: null }
}

/** A person runs a command, under the rules of the agent. No model answers; the next prompt shows it what was run. */
async function shellNow(deps: StepDeps, turn: TurnContext): Promise<TurnEnd> {
  const script = commandOf(turn)?.arguments ?? ""
  const record = turn.transcript.get(turn.turn.messageID ?? "")?.parts.find(isPending)
  const by = "A person runs it with /shell"
  const [output = ""] = await runScripts(deps, turn, { scripts: [script], by, subtask: null })
  const state = turn.signal.aborted ? "stopped" : "done"
  const text = `The user ran this command:\n\n${script}\n\nIt wrote:\n\n${quoteFrames(output) || "(no output)"}`
  if (record !== undefined) void turn.writer.part({ ...record, text, notice: noticeAs(record, state) })
  await turn.writer.settled()
  return turn.signal.aborted
    ? { status: stopStatus(turn.signal), error: stopError(turn.signal) }
    : { status: "completed", error: null }
}

/** The end of the turn before another step; null when there is another step, which reads new messages. */
async function endBefore(deps: RunTurnDeps, turn: TurnContext): Promise<TurnEnd | null> {
  if (turn.signal.aborted) return { status: stopStatus(turn.signal), error: stopError(turn.signal) }
  await readSteered(deps, turn)
  // Quiet notes wait for another turn when this one is answered.
  if (isAnswered(turn) && !deps.notes.has(turn.session.id)) return { status: "completed", error: null }
  await takeNotes(deps, turn)
  const limit = deps.hooks.stepLimit(turn.session).limit
  return limit === null ? null : limitEnd(deps, turn, limit)
}

function failedEnd(turn: TurnContext, error: MessageError): TurnEnd {
  return { status: turn.signal.aborted ? stopStatus(turn.signal) : "failed", error }
}

/** Writes the session's unread notes as a user message. */
async function takeNotes(deps: RunTurnDeps, turn: TurnContext): Promise<void> {
  const notes = await deps.notes.take(turn.session.id)
  if (notes.length === 0) return
  void turn.writer.notesRead(notes)
  turn.userMessage = writeUserMessage(deps, turn, noteParts(notes))
}

/** Ends the turn with an answer that names the limit. */
async function limitEnd(deps: Stamp, turn: TurnContext, limit: TaskError): Promise<TurnEnd> {
  const text = `${limit.message} The work ends here with what was found so far.`
  const error: MessageError = { name: "LimitReachedError", message: text, statusCode: null, retryable: false }
  const message = startMessage(deps, turn)
  await turn.writer.message({ ...message, error, time: { ...message.time, completed: deps.clock() } })
  return { status: "failed", error }
}

/** A turn that continues after a crash may have been answered already. */
function isAnswered(turn: TurnContext): boolean {
  const { info: last, parts = [] } = turn.transcript.all().at(-1) ?? {}
  if (last?.role !== "assistant" || last.parentID !== turn.userMessage.id || last.summary) return false
  // Regardless of the state of its message.
  if (parts.some(endsTurn)) return true
  if (last.time.completed === null || last.error !== null) return false
  // Some providers say "stop" beside tool calls, and a call that the output limit cut must be made again.
  if (parts.some((part) => part.type === "tool")) return false
  return last.finish !== "tool-calls" && last.finish !== "unknown"
}

/**
 * Runs the subtasks of the prompt. "rejected": the user rejected one of them, or a call in it, without a message. They
 * are the turn's own work, so the turn ends as after any other rejected call.
 */
async function runSubtasks(deps: RunTurnDeps, turn: TurnContext, offered: Tool[]): Promise<"done" | "rejected"> {
  const parts = turn.transcript.get(turn.userMessage.id)?.parts ?? []
  const subtasks = parts.filter((part): part is SubtaskPart => part.type === "subtask")
  if (subtasks.length === 0) return "done"
  const done = turn.transcript
    .all()
    .some(({ info }) => info.role === "assistant" && !info.forCommand && info.parentID === turn.userMessage.id)
  // After a restart the tasks may still wait for a person.
  const left = openStep(turn.transcript)
  if (done && left?.message.parentID !== turn.userMessage.id) return "done"
  const { message, calls } = left ?? subtaskStep(deps, turn, subtasks)
  const { rejected, rejectedWithin } = await executeCalls(deps, turn, calls, offered)
  await turn.writer.message({ ...message, finish: "tool-calls", time: { ...message.time, completed: deps.clock() } })
  const isOver = (rejected || rejectedWithin) && !turn.signal.aborted
  // A message that arrived meanwhile still gets an answer.
  if (isOver && !deps.notes.has(turn.session.id)) return "rejected"
  turn.userMessage = writeUserMessage(deps, turn, [
    { type: "text", text: subtasksDoneText, synthetic: true, notice: { kind: "subtasks-done" } },
  ])
  await turn.writer.settled()
  return "done"
}

/** The message whose calls are the subtasks of the prompt. */
function subtaskStep(deps: Stamp, turn: TurnContext, subtasks: SubtaskPart[]): OpenStep {
  const message = startMessage(deps, turn)
  const calls = subtasks.map((subtask): ToolPart => {
    const input = {
      description: subtask.description,
      prompt: subtask.prompt,
      subagent_type: subtask.agent,
      ...(subtask.model && { model: `${subtask.model.providerID}/${subtask.model.modelID}` }),
      ...(subtask.command !== undefined && { command: subtask.command }),
    }
    const id = deps.createID("part")
    return {
      id,
      sessionID: message.sessionID,
      messageID: message.id,
      type: "tool",
      callID: `subtask_${id}`,
      tool: "task",
      state: { status: "pending", input, raw: JSON.stringify(input) },
    }
  })
  for (const call of calls) void turn.writer.part(call)
  return { message, calls }
}

type CommandPart = Extract<PromptPart, { type: "command" }>

/** Prefix of the ids of a command's calls; the position of the script follows. */
const callPrefix = "command_"

/**
 * Completes a prompt made by a command: runs the scripts of its template as calls of the agent that will work, then
 * writes the prompt with their output. After a crash, scripts that never started run; started ones count as
 * interrupted.
 */
async function completeCommand(deps: StepDeps, turn: TurnContext): Promise<void> {
  const part = commandOf(turn)
  const record = turn.transcript.get(turn.turn.messageID ?? "")?.parts.find(isPending)
  if (!part?.expansion || record === undefined) return
  const { pieces, subtask } = part.expansion
  const scripts = pieces.flatMap((piece) => (piece.type === "run" ? [piece.command] : []))
  const results = await runScripts(deps, turn, {
    ...{ scripts, subtask },
    by: `The command /${part.name} wants it for its prompt`,
  })
  if (turn.signal.aborted) {
    void turn.writer.part({ ...record, text: stoppedText(part.name), notice: noticeAs(record, "stopped") })
    return
  }
  let at = 0
  const text = pieces
    .map((piece) => (piece.type === "text" ? piece.text : (results[at++] ?? "")))
    .join("")
    .trim()
  void turn.writer.part({ ...record, text: subtask === null ? text : "", notice: noticeAs(record, "done") })
  if (subtask !== null) void turn.writer.part(subtaskPart(deps, turn, { name: part.name, text, subtask }))
}

/** The command in the turn's prompt, if there is one. */
function commandOf({ turn }: Pick<TurnContext, "turn">): CommandPart | undefined {
  return turn.input.parts.find((part): part is CommandPart => part.type === "command")
}

type CommandRecord = TextPart & { notice: Extract<NonNullable<TextPart["notice"]>, { kind: "command" }> }

function isPending(part: Parameters<typeof noticeOf>[0]): part is CommandRecord {
  const notice = noticeOf(part)
  return notice?.kind === "command" && notice.state === "pending"
}

function noticeAs({ notice }: CommandRecord, state: CommandRecord["notice"]["state"]): CommandRecord["notice"] {
  return { ...notice, state }
}

function stoppedText(name: string): string {
  return `The command /${name} was stopped before its prompt was complete.`
}

/** The loop runs it before any model call. */
function subtaskPart(
  deps: Pick<StepDeps, "createID">,
  turn: TurnContext,
  { name, text, subtask }: { name: string; text: string; subtask: NonNullable<CommandExpansion["subtask"]> },
): SubtaskPart {
  const { agent, description, model } = subtask
  return {
    id: deps.createID("part"),
    sessionID: turn.session.id,
    messageID: turn.userMessage.id,
    type: "subtask",
    prompt: text,
    description,
    agent,
    ...(model && { model }),
    command: name,
  }
}

interface Scripts {
  /** Who wants them, for whoever is asked. */
  by: string
  scripts: readonly string[]
  subtask: CommandExpansion["subtask"]
}

/** The texts that replace the scripts in the prompt, in order. */
async function runScripts(deps: StepDeps, turn: TurnContext, { by, scripts, subtask }: Scripts): Promise<string[]> {
  if (scripts.length === 0) return []
  const worker = subtask === null ? turn : asWorker(turn, subtask.agent)
  const bash = (await offeredTools(deps, worker)).filter(({ id }) => id === "bash")
  if (bash.length === 0) {
    return scripts.map((script) => notRun(script, `the rules let ${worker.agent.name} run no commands`))
  }
  const waiting = openStep(turn.transcript)
  if (waiting?.message.forCommand) await makeCalls(deps, worker, waiting, bash)
  const begun = callsOf(turn)
  const left = scripts.flatMap((script, index) => (hasBegun(begun.get(index)) ? [] : [{ script, index }]))
  if (left.length > 0) {
    const message = startMessage(deps, worker, { forCommand: true })
    const calls = left.map(({ script, index }): ToolPart => {
      const input = { command: script, description: by }
      const id = deps.createID("part")
      const place = { id, sessionID: message.sessionID, messageID: message.id }
      const state = { status: "pending", input, raw: JSON.stringify(input) } as const
      return { ...place, type: "tool", callID: `${callPrefix}${index}_${id}`, tool: "bash", state }
    })
    await makeCalls(deps, worker, { message, calls }, bash)
  }
  const calls = callsOf(turn)
  return scripts.map((script, index) => textOf(script, calls.get(index)))
}

/** Runs the calls. The place of a rejected script says so, and the prompt continues without the other scripts. */
async function makeCalls(
  deps: StepDeps,
  worker: TurnContext,
  { message, calls }: OpenStep,
  bash: Tool[],
): Promise<void> {
  await executeCalls(deps, worker, calls, bash)
  const time = { ...message.time, completed: deps.clock() }
  await worker.writer.message({ ...message, finish: "tool-calls", time })
}

function hasBegun(call: ToolPart | undefined): boolean {
  return call !== undefined && readCallEnd(call).unstarted !== true
}

/** The turn as the working subagent would have it: no script gets rights that the subagent or the session lacks. */
function asWorker(turn: TurnContext, name: string): TurnContext {
  const agent = findAgent(turn.agents, name)
  return {
    ...turn,
    agent,
    rules: mergeRules(agent.permission, turn.session.permission),
    ceilings: [turn.rules, ...turn.ceilings, ...turn.ceilingsOf(name)],
  }
}

/** The calls that were made for the prompt, by the position of their script. */
function callsOf({ transcript, turn }: TurnContext): Map<number, ToolPart> {
  const calls = transcript
    .all()
    .filter(({ info }) => info.role === "assistant" && info.forCommand === true && info.id > (turn.messageID ?? ""))
    .flatMap(({ parts }) => parts.filter((part): part is ToolPart => part.type === "tool"))
  return new Map(calls.map((call) => [Number.parseInt(call.callID.slice(callPrefix.length), 10), call]))
}

function textOf(script: string, call: ToolPart | undefined): string {
  if (call?.state.status === "completed") {
    const output = call.state.output.replace(/\n?\[exit code 0\]$/, "")
    return output === "(no output)" ? "" : output
  }
  return notRun(script, call?.state.status === "error" ? call.state.error : "Docket was stopped")
}

function notRun(script: string, why: string): string {
  return `[The command ${JSON.stringify(script)} gave no output: ${why}]`
}
