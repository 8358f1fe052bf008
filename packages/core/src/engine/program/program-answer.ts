import { isDeepStrictEqual } from "node:util"
import { errorText } from "../../ground/error/error-text.ts"
import { noTokens, roundCost } from "../../ground/message/usage.ts"
import type { AssistantMessage, MessageError, MessageProgram, TokenUsage, ToolPart } from "../../ground/schema/index.ts"
import { maxAnswerLength, OutputLengthError } from "../../setup/provider/read-stream.ts"
import type { StepFiles } from "../loop/step-files.ts"
import type { TurnContext } from "../loop/turn-context.ts"
import { startMessage } from "../loop/write-message.ts"
import { createTextStream } from "../step/process-stream.ts"
import type { StepDeps } from "../step/run-step.ts"
import type { ProgramCall } from "./agent-programs.ts"
import { type CallChanges, createCallChanges, newDiffRoom } from "./program-call-changes.ts"
import { callPart } from "./program-call-part.ts"

/** What a program says and does in one prompt, as messages of its session. */
export interface ProgramAnswer {
  /** The message that is being written. */
  message(): AssistantMessage
  /** The files around the message's calls. Await `ready` before anything changes files for the program. */
  files(): { step: StepFiles; ready: Promise<void> }
  /** The program and its conversation are known now. */
  name(program: MessageProgram): void
  program(): MessageProgram | null
  say(kind: "text" | "reasoning", text: string, id: string | null): void
  call(call: ProgramCall): void
  /** The part of a call; null for one that was not told of. */
  part(callID: string): ToolPart | null
  /** How a person or a rule refused a call. */
  refuse(callID: string, refusal: CallRefusal): void
  /** A call of Docket's own begins: in the place of one that the program told of and that is open, where `isFor` finds it. */
  own(tool: string, input: unknown, isFor: (told: ProgramCall) => boolean): { part: ToolPart; done(): void }
  spend(spent: number): void
  /** Ends what is open, and the message. */
  end(how: { finish: string | null; error: MessageError | null; tokens: TokenUsage | null }): Promise<void>
}

interface CallRefusal {
  error: string
  metadata: Record<string, unknown>
}

type AnswerDeps = Pick<StepDeps, "createID" | "clock" | "stepFiles" | "hooks">

/** Parts of a call that goes on are written at most this often (ms). */
const partMs = 100

interface Call {
  /** As it stands; without its texts once it has ended. */
  told: ProgramCall
  changes: CallChanges
  /** Characters of its output and its input that are counted for the answer. */
  outputLength: number
  inputLength: number
  part: ToolPart
  startedAt: number
  timer: NodeJS.Timeout | null
  refusal: CallRefusal | null
  /** A call of Docket's own shows it. */
  isReplaced: boolean
}

interface Step {
  message: AssistantMessage
  files: StepFiles
  ready: Promise<void>
  /** Calls of the message that have not ended. */
  open: Set<object>
  hasCalls: boolean
  cost: number
}

/**
 * Writes an answer. A message ends where the program speaks again after its calls, as the answers of a model do, so that
 * undo and review have steps of it.
 * @param onLimit called when a limit of the tree or of the task is reached
 */
export function createProgramAnswer(
  deps: AnswerDeps,
  turn: TurnContext,
  { fail, onLimit }: { fail(error: Error): void; onLimit(): void },
): ProgramAnswer {
  const calls = new Map<string, Call>()
  let program: MessageProgram | null = null
  let stream: { kind: "text" | "reasoning"; id: string | null; text: ReturnType<typeof createTextStream> } | null = null
  let length = 0
  const diffRoom = newDiffRoom()
  let isOver = false

  const begin = (before: Promise<void>): Step => {
    const message = startMessage(deps, turn, program === null ? {} : { program })
    const files = deps.stepFiles(turn, { messageID: message.id, anyFile: true })
    const ready = before.then(() => files.before())
    // Whoever changes files awaits it.
    ready.catch(() => {})
    return { message, files, ready, open: new Set(), hasCalls: false, cost: 0 }
  }
  let step = begin(Promise.resolve())

  const endStream = () => {
    stream?.text.end()
    stream = null
  }
  const finish = (finish: string | null, error: MessageError | null, tokens: TokenUsage): Promise<void> => {
    endStream()
    const { message, files, ready, cost } = step
    const { writer } = turn
    const place = { id: deps.createID("part"), sessionID: message.sessionID, messageID: message.id }
    void writer.stepFinish({ ...place, type: "step-finish", reason: finish ?? "unknown", tokens, cost })
    const named = program === null ? {} : { program }
    const time = { ...message.time, completed: deps.clock() }
    void writer.message({ ...message, ...named, finish, error, tokens, cost, time })
    // Snapshots follow one another.
    return ready.then(files.end, files.end)
  }
  const next = () => {
    step = begin(finish("tool-calls", null, noTokens))
  }
  const count = (toolCalls: number, cost: number) => {
    deps.hooks.stepUsed(turn.session, { tokens: noTokens, cost, toolCalls })
    if (deps.hooks.stepLimit(turn.session).limit !== null) onLimit()
  }
  const grow = (characters: number) => {
    length += characters
    if (length > maxAnswerLength) fail(new OutputLengthError())
    return length <= maxAnswerLength
  }
  const writePart = (call: Call) => {
    if (call.timer !== null) clearTimeout(call.timer)
    call.timer = null
    if (call.isReplaced) return
    const part = callPart(call.part, call.told, {
      ...{ startedAt: call.startedAt, now: deps.clock(), refusal: call.refusal },
      ...{ worktree: turn.project.worktree, changes: call.changes },
    })
    const inputLength = JSON.stringify(part.state.input).length
    grow(Math.max(0, inputLength - call.inputLength))
    call.inputLength = Math.max(call.inputLength, inputLength)
    if (isDeepStrictEqual(part, call.part)) return
    call.part = part
    void turn.writer.part(part)
  }
  const write = (call: Call) => {
    try {
      writePart(call)
    } catch (error) {
      // Without what broke it, its end can be written.
      letGo(call)
      fail(new Error(`A call of the program cannot be shown: ${errorText(error)}`, { cause: error }))
    }
  }
  const letGo = (call: Call) => {
    call.told = { ...call.told, input: null, output: "", changes: [] }
    call.changes.forget()
  }
  const close = (call: Call) => {
    write(call)
    letGo(call)
    step.open.delete(call)
  }

  return {
    message: () => step.message,
    files: () => ({ step: step.files, ready: step.ready }),
    name(known) {
      program = known
      step.message = { ...step.message, program: known }
      void turn.writer.message(step.message)
    },
    program: () => program,
    say(kind, text, id) {
      if (isOver || text === "" || !grow(text.length)) return
      if (step.hasCalls && step.open.size === 0) next()
      if (stream?.kind !== kind || stream.id !== id) {
        endStream()
        const { id: messageID, sessionID } = step.message
        const time = { start: deps.clock(), end: null }
        const part = { id: deps.createID("part"), sessionID, messageID, type: kind, text: "", time } as const
        stream = { kind, id, text: createTextStream({ writer: turn.writer, clock: deps.clock }, part) }
      }
      stream.text.append(text)
    },
    call(told) {
      if (isOver || length > maxAnswerLength) return
      const known = calls.get(told.id)
      if (known === undefined) {
        endStream()
        const { id: messageID, sessionID } = step.message
        const state = { status: "pending", input: {}, raw: "" } as const
        const place = { id: deps.createID("part"), sessionID, messageID }
        const part: ToolPart = { ...place, type: "tool", callID: told.id, tool: told.tool, state }
        const call: Call = {
          ...{ told, part, startedAt: deps.clock(), timer: null, refusal: null, isReplaced: false },
          changes: createCallChanges(diffRoom, () => performance.now()),
          ...{ outputLength: told.output.length, inputLength: 0 },
        }
        call.isReplaced = told.commands.length > 0
        calls.set(told.id, call)
        step.hasCalls = true
        step.open.add(call)
        if (isEnded(told)) close(call)
        else write(call)
        count(1, 0)
        return
      }
      if (told.commands.length > 0 && !known.isReplaced) {
        known.isReplaced = true
        void turn.writer.removePart(known.part)
      }
      const grown = told.output.length - known.outputLength
      known.outputLength = told.output.length
      if (grown > 0 && !grow(grown)) return
      const before = known.told.state
      // Some programs tell of a call as one that has not begun until it has ended.
      known.told = before === "running" && told.state === "pending" ? { ...told, state: before } : told
      if (isEnded(told)) close(known)
      else if (known.told.state !== before) write(known)
      else known.timer ??= setTimeout(() => write(known), partMs)
    },
    part: (callID) => calls.get(callID)?.part ?? null,
    refuse(callID, refusal) {
      const call = calls.get(callID)
      if (call !== undefined) call.refusal = refusal
    },
    own(tool, input, isFor) {
      const told = [...calls.values()].find((call) => !call.isReplaced && !isEnded(call.told) && isFor(call.told))
      if (told === undefined) endStream()
      else told.isReplaced = true
      const { id: messageID, sessionID } = step.message
      const id = deps.createID("part")
      const place = told?.part ?? { id, sessionID, messageID, type: "tool" as const, callID: `program_${id}` }
      const part: ToolPart = { ...place, tool, state: { status: "pending", input, raw: JSON.stringify(input) } }
      const { open } = step
      open.add(part)
      step.hasCalls = true
      void turn.writer.part(part)
      if (told === undefined) count(1, 0)
      return { part, done: () => void open.delete(part) }
    },
    spend(spent) {
      const before = program?.spent ?? 0
      // A program that counts anew has begun anew.
      const cost = roundCost(spent < before ? spent : spent - before)
      if (program !== null) program = { ...program, spent }
      if (cost <= 0) return
      step.cost = roundCost(step.cost + cost)
      count(0, cost)
    },
    async end({ finish: how, error, tokens }) {
      isOver = true
      const why = error === null ? "The program ended its answer while the call ran." : error.message
      for (const call of calls.values()) {
        if (isEnded(call.told)) continue
        call.refusal ??= { error: why, metadata: { interrupted: true } }
        call.told = { ...call.told, state: "failed" }
        close(call)
      }
      if (tokens !== null) deps.hooks.stepUsed(turn.session, { tokens, cost: 0, toolCalls: 0 })
      await finish(how, error, tokens ?? noTokens)
      await turn.writer.settled()
    },
  }
}

export function isEnded({ state }: ProgramCall): boolean {
  return state === "completed" || state === "failed"
}

/** How a refusal is told in the call's part. */
export function refusalOf(error: unknown, metadata: Record<string, unknown> = {}): CallRefusal {
  return { error: errorText(error), metadata }
}
