import type { Tool } from "../../acts/tool/tool.ts"
import { noticeOf } from "../../ground/message/notice-of.ts"
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
import { findAgent } from "../../setup/agent/resolve-agents.ts"
import { subtasksDoneText } from "../../setup/agent/subtasks-done.ts"
import { executeCalls } from "../calls/execute-calls.ts"
import { compact } from "../compaction/compact.ts"
import { createRoomMaker } from "../compaction/make-room.ts"
import type { CompactionDeps } from "../compaction/summarise.ts"
import { type OpenStep, openStep } from "../loop/open-step.ts"
import { noteParts, type SessionNotes } from "../loop/session-notes.ts"
import { endsTurn, rejectedError, stopError, stopStatus } from "../loop/stop-reason.ts"
import type { TurnContext } from "../loop/turn-context.ts"
import { type Stamp, startMessage, writeUserMessage } from "../loop/write-message.ts"
import { offeredTools, resumeStep, runStep, type StepDeps, type StepOutcome } from "../step/run-step.ts"
import { resumeAnswerWrits, runPromptWrits } from "../step/run-writs.ts"

export type RunTurnDeps = StepDeps & CompactionDeps & { notes: SessionNotes }

export type TurnEnd = { status: "completed"; error: null } | { status: "failed" | "aborted"; error: MessageError }

/**
 * The loop: subtasks that the user asked for first, then one model step after another until the agent
 * stops, fails, is stopped or has used its steps. Failures are data; only a lost claim (StaleTurnError)
 * and bugs are thrown.
 */
export async function runTurn(deps: RunTurnDeps, turn: TurnContext): Promise<TurnEnd> {
  if (commandOf(turn)?.name === "compact") return compactNow(deps, turn)
  await completeCommand(deps, turn)
  const answered = await runPromptWrits(deps, turn)
  if (answered && !deps.notes.has(turn.session.id)) return { status: "completed", error: null }
  await resumeAnswerWrits(deps, turn)
  const offered = await offeredTools(deps, turn)
  const ran = await runSubtasks(deps, turn, offered)
  if (ran === "rejected") return { status: "aborted", error: rejectedError }
  const room = createRoomMaker(deps, turn)
  let left = openStep(turn.transcript)
  while (true) {
    const end = left === null ? await endBefore(deps, turn) : null
    if (end !== null) return end
    turn.steps += 1
    const last = turn.agent.steps !== null && turn.steps >= turn.agent.steps
    const outcome: StepOutcome =
      left === null ? await runStep(deps, turn, { last, offered }) : await resumeStep(deps, turn, left, offered)
    left = null
    if (outcome.next === "failed") return failedEnd(turn, outcome.error)
    if (outcome.next !== "refused") {
      // A message that came during the last step is still answered.
      if (outcome.next === "stop" && (last || !deps.notes.has(turn.session.id))) {
        // Now, while it still fits: the next prompt would come on top.
        if (outcome.overflow) await room.forPrompt()
        return { status: "completed", error: null }
      }
      if (outcome.next === "rejected" && (last || !deps.notes.has(turn.session.id))) {
        if (outcome.overflow) await room.forPrompt()
        return { status: "aborted", error: rejectedError }
      }
      // The next prompt makes room for itself: behind a summary nobody would see that the answer was cut.
      if (outcome.next === "cut" && (last || !deps.notes.has(turn.session.id))) return failedEnd(turn, outcome.error)
      if (last) return { status: "completed", error: null }
      if (!outcome.overflow) continue
    }
    const error = await room.forStep(outcome.next === "refused" ? outcome : null)
    if (error !== null) return failedEnd(turn, error)
  }
}

/** The prompt is that the conversation be summarised. */
async function compactNow(deps: RunTurnDeps, turn: TurnContext): Promise<TurnEnd> {
  if (turn.transcript.all().every(({ info }) => info.id === turn.userMessage.id)) return await nothingYet(deps, turn)
  const error = await compact(deps, turn, { auto: false, tail: true })
  return error === null ? { status: "completed", error: null } : failedEnd(turn, error)
}

/** Answers who asked for a summary before anything was said. */
async function nothingYet(deps: Stamp, turn: TurnContext): Promise<TurnEnd> {
  const message = startMessage(deps, turn)
  const place = { id: deps.createID("part"), sessionID: message.sessionID, messageID: message.id }
  const now = deps.clock()
  const text = "There is nothing to summarise: nothing was said in this session yet."
  void turn.writer.part({ ...place, type: "text", text, time: { start: now, end: now } })
  await turn.writer.message({ ...message, finish: "stop", time: { ...message.time, completed: now } })
  return { status: "completed", error: null }
}

/** How the turn ends before another step; null when there is one, which reads what was said meanwhile. */
async function endBefore(deps: RunTurnDeps, turn: TurnContext): Promise<TurnEnd | null> {
  if (turn.signal.aborted) return { status: stopStatus(turn.signal), error: stopError(turn.signal) }
  // Quiet ones wait for another turn when this one is over.
  if (isAnswered(turn) && !deps.notes.has(turn.session.id)) return { status: "completed", error: null }
  await takeNotes(deps, turn)
  const limit = deps.hooks.stepLimit(turn.session).limit
  return limit === null ? null : limitEnd(deps, turn, limit)
}

function failedEnd(turn: TurnContext, error: MessageError): TurnEnd {
  return { status: turn.signal.aborted ? stopStatus(turn.signal) : "failed", error }
}

/** Writes what was said to the session meanwhile as a user message. */
async function takeNotes(deps: RunTurnDeps, turn: TurnContext): Promise<void> {
  const notes = await deps.notes.take(turn.session.id)
  if (notes.length === 0) return
  void turn.writer.notesRead(notes)
  turn.userMessage = writeUserMessage(deps, turn, noteParts(notes))
}

/** Ends the turn with an answer that says why. */
async function limitEnd(deps: Stamp, turn: TurnContext, limit: TaskError): Promise<TurnEnd> {
  const text = `${limit.message} The work ends here with what was found so far.`
  const error: MessageError = { name: "LimitReachedError", message: text, statusCode: null, retryable: false }
  const message = startMessage(deps, turn)
  await turn.writer.message({ ...message, error, time: { ...message.time, completed: deps.clock() } })
  return { status: "failed", error }
}

/** A turn that goes on after a crash may find its answer already there. */
function isAnswered(turn: TurnContext): boolean {
  const { info: last, parts = [] } = turn.transcript.all().at(-1) ?? {}
  if (last?.role !== "assistant" || last.parentID !== turn.userMessage.id || last.summary) return false
  // Whatever came of its message.
  if (parts.some(endsTurn)) return true
  if (last.time.completed === null || last.error !== null) return false
  // Some providers say "stop" beside tool calls, and a call that the output limit cut wants another try.
  if (parts.some((part) => part.type === "tool")) return false
  return last.finish !== "tool-calls" && last.finish !== "unknown"
}

/**
 * Runs what the prompt delegates. "rejected": the user rejected one of these tasks, or a call in it, without a word. They
 * are the turn's own work, so that it ends like any other whose call was rejected.
 */
async function runSubtasks(deps: RunTurnDeps, turn: TurnContext, offered: Tool[]): Promise<"done" | "rejected"> {
  const parts = turn.transcript.get(turn.userMessage.id)?.parts ?? []
  const subtasks = parts.filter((part): part is SubtaskPart => part.type === "subtask")
  if (subtasks.length === 0) return "done"
  const done = turn.transcript
    .all()
    .some(({ info }) => info.role === "assistant" && !info.forCommand && info.parentID === turn.userMessage.id)
  // After a restart the tasks may wait for a person still.
  const left = openStep(turn.transcript)
  if (done && left?.message.parentID !== turn.userMessage.id) return "done"
  const { message, calls } = left ?? subtaskStep(deps, turn, subtasks)
  const { rejected, rejectedWithin } = await executeCalls(deps, turn, calls, offered)
  await turn.writer.message({ ...message, finish: "tool-calls", time: { ...message.time, completed: deps.clock() } })
  const isOver = (rejected || rejectedWithin) && !turn.signal.aborted
  // A message that came meanwhile is still answered.
  if (isOver && !deps.notes.has(turn.session.id)) return "rejected"
  turn.userMessage = writeUserMessage(deps, turn, [
    { type: "text", text: subtasksDoneText, synthetic: true, notice: { kind: "subtasks-done" } },
  ])
  await turn.writer.settled()
  return "done"
}

/** The message whose calls are what the prompt delegates. */
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

/** Marks the calls of a command by the place of their scripts. */
const callPrefix = "command_"

/**
 * Completes the prompt of a turn that a command made: runs what its template wants to know as calls of the agent that
 * will work, then writes the prompt with their output. An attempt after a crash goes on with the scripts that never began;
 * one that had begun is told as broken off.
 */
async function completeCommand(deps: StepDeps, turn: TurnContext): Promise<void> {
  const part = commandOf(turn)
  const record = turn.transcript.get(turn.turn.messageID ?? "")?.parts.find(isPending)
  if (!part?.expansion || record === undefined) return
  const { pieces, subtask } = part.expansion
  const scripts = pieces.flatMap((piece) => (piece.type === "run" ? [piece.command] : []))
  const results = await runScripts(deps, turn, { name: part.name, scripts, subtask })
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

/** The command that the turn's prompt is, if it is one. */
function commandOf({ turn }: Pick<TurnContext, "turn">): CommandPart | undefined {
  return turn.input.parts.find((part): part is CommandPart => part.type === "command")
}

type Record = TextPart & { notice: Extract<NonNullable<TextPart["notice"]>, { kind: "command" }> }

function isPending(part: Parameters<typeof noticeOf>[0]): part is Record {
  const notice = noticeOf(part)
  return notice?.kind === "command" && notice.state === "pending"
}

function noticeAs({ notice }: Record, state: Record["notice"]["state"]): Record["notice"] {
  return { ...notice, state }
}

function stoppedText(name: string): string {
  return `The command /${name} was stopped before its prompt was complete.`
}

/** For the loop, which runs it before any model call. */
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
  name: string
  scripts: readonly string[]
  subtask: CommandExpansion["subtask"]
}

/** What stands in the prompt for each script, in their order. */
async function runScripts(deps: StepDeps, turn: TurnContext, { name, scripts, subtask }: Scripts): Promise<string[]> {
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
      const input = { command: script, description: `The command /${name} wants it for its prompt` }
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

/** A rejected one is told in its place, and the prompt goes on without the others. */
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

/** The turn as the subagent would have it that works: no script runs with rights that it or the session lacks. */
function asWorker(turn: TurnContext, name: string): TurnContext {
  const agent = findAgent(turn.agents, name)
  return {
    ...turn,
    agent,
    rules: mergeRules(agent.permission, turn.session.permission),
    ceilings: [turn.rules, ...turn.ceilings, ...turn.ceilingsOf(name)],
  }
}

/** The calls that were made for the prompt, by the places of their scripts. */
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
