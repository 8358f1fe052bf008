import type { Tool } from "../../acts/tool/tool.ts"
import type { MessageError, SubtaskPart, TaskError, ToolPart } from "../../ground/schema/index.ts"
import { subtasksDoneText } from "../../setup/agent/subtasks-done.ts"
import { executeCalls } from "../calls/execute-calls.ts"
import { compact } from "../compaction/compact.ts"
import type { CompactionDeps } from "../compaction/compaction-deps.ts"
import { createRoomMaker } from "../compaction/make-room.ts"
import { endsTurn } from "../loop/end-mark.ts"
import { type OpenStep, openStep } from "../loop/open-step.ts"
import { noteParts, type SessionNotes } from "../loop/session-notes.ts"
import type { Stamp } from "../loop/stamp.ts"
import { startMessage } from "../loop/start-message.ts"
import { rejectedError, stopError, stopStatus } from "../loop/stop-reason.ts"
import type { TurnContext } from "../loop/turn-context.ts"
import { writeUserMessage } from "../loop/write-user-message.ts"
import { resumeStep } from "../step/resume-step.ts"
import { resumeAnswerWrits } from "../step/run-answer-writs.ts"
import { runPromptWrits } from "../step/run-prompt-writs.ts"
import { offeredTools, runStep, type StepDeps } from "../step/run-step.ts"
import type { StepOutcome } from "../step/step-outcome.ts"
import { commandOf, completeCommand } from "./run-command.ts"

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
