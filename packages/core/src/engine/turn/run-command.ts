import type { Tool } from "../../acts/tool/tool.ts"
import { noticeOf } from "../../ground/message/notice-of.ts"
import { mergeRules } from "../../ground/rule/index.ts"
import type { CommandExpansion, PromptPart, SubtaskPart, TextPart, ToolPart } from "../../ground/schema/index.ts"
import { readCallEnd } from "../../ground/schema/read-tool-call.ts"
import { findAgent } from "../../setup/agent/resolve-agents.ts"
import { executeCalls } from "../calls/execute-calls.ts"
import { type OpenStep, openStep } from "../loop/open-step.ts"
import { startMessage } from "../loop/start-message.ts"
import type { TurnContext } from "../loop/turn-context.ts"
import { offeredTools, type StepDeps } from "../step/run-step.ts"

type CommandPart = Extract<PromptPart, { type: "command" }>

/** Marks the calls of a command by the place of their scripts. */
const callPrefix = "command_"

/**
 * Completes the prompt of a turn that a command made: runs what its template wants to know as calls of the agent that
 * will work, then writes the prompt with their output. An attempt after a crash goes on with the scripts that never began;
 * one that had begun is told as broken off.
 */
export async function completeCommand(deps: StepDeps, turn: TurnContext): Promise<void> {
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
export function commandOf({ turn }: Pick<TurnContext, "turn">): CommandPart | undefined {
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
