import { PermissionDeniedError, PermissionRejectedError } from "../../acts/permission/error.ts"
import type { AskPlace } from "../../acts/tool/tool.ts"
import { orAborted } from "../../ground/concurrency/or-aborted.ts"
import { errorText } from "../../ground/error/error-text.ts"
import { evaluateStrictest } from "../../ground/rule/index.ts"
import type { MessageError, MessageProgram } from "../../ground/schema/index.ts"
import type { TodoService } from "../../records/todo/todo-service.ts"
import { interruptedPart } from "../calls/interrupted-part.ts"
import type { ExtensionPlace } from "../extension/extension-host.ts"
import type { OpenStep } from "../loop/open-step.ts"
import { restartedPart } from "../loop/restarted-part.ts"
import { stopError } from "../loop/stop-reason.ts"
import type { TurnContext } from "../loop/turn-context.ts"
import { writeUserMessage } from "../loop/write-message.ts"
import type { StepDeps, StepOutcome } from "../step/run-step.ts"
import type { AgentPrograms, OpenedProgram, ProgramDesk, ProgramEnd } from "./agent-programs.ts"
import { createProgramAnswer, isEnded, type ProgramAnswer, refusalOf } from "./program-answer.ts"
import type { ProgramGuests } from "./program-guests.ts"
import { askForCall } from "./program-leave.ts"
import { programPrompt } from "./program-prompt.ts"
import { createProgramTodos, type ProgramTodos } from "./program-todos.ts"
import { createProgramWork, type ProgramWorkDeps } from "./program-work.ts"

export interface ProgramDeps extends StepDeps, Pick<ProgramWorkDeps, "tools" | "subagentTool"> {
  programs: {
    /** Null where none can run. */
    host: AgentPrograms | null
    placeOf(turn: TurnContext): Promise<ExtensionPlace>
    todos: Pick<TodoService, "write" | "list">
    guests: ProgramGuests
    env: Readonly<Record<string, string | undefined>>
    onError(error: unknown): void
  }
}

/** The steps of a turn whose agent is a program: each is a whole prompt, which the program answers by itself. */
export interface ProgramTurn {
  step(unfinished: OpenStep | null): Promise<StepOutcome>
  /** Ends the program. */
  end(): Promise<void>
}

export function createProgramTurn(deps: ProgramDeps, turn: TurnContext): ProgramTurn {
  let opened: OpenedProgram | null = null
  const todos = createProgramTodos(
    { todos: deps.programs.todos, clock: deps.clock, onError: deps.programs.onError },
    { sessionID: turn.session.id, agent: turn.agent.name },
  )
  const stage: { desk: ProgramDesk | null } = { desk: null }
  return {
    async step(unfinished) {
      if (unfinished !== null) await closeUnfinished(deps, turn, unfinished)
      const stop = new AbortController()
      const prompted = createPrompted(deps, turn, { stop, todos })
      stage.desk = prompted.desk
      const signal = AbortSignal.any([turn.signal, stop.signal])
      let end: ProgramEnd | null = null
      let failure: unknown = null
      try {
        if (unfinished !== null && isInside(turn)) throw new ProgramGoneError()
        opened ??= await open(deps, turn, { desk: currentDesk(stage), signal })
        const { answer } = prompted
        const { parts, tells } = await programPrompt(
          turn.transcript.all().filter(({ info }) => info.id !== answer.message().id),
          {
            conversation: opened.facts.conversation,
            takesPictures: opened.takesPictures,
            read: async (hash) => (await deps.attachments.read(turn.session.rootID, hash))?.bytes ?? null,
          },
        )
        answer.name(named(opened, turn, tells))
        await answer.files().ready
        end = await opened.prompt(parts, signal)
      } catch (error) {
        failure = error
      }
      return prompted.settle(end, failure)
    },
    async end() {
      await opened?.end()
      await todos.settled()
    },
  }
}

/** The program speaks to whoever leads the prompt that it answers. */
function currentDesk(stage: { desk: ProgramDesk | null }): ProgramDesk {
  const desk = () => {
    if (stage.desk === null) throw new Error("Nobody asked the program for anything.")
    return stage.desk
  }
  return {
    say: (...said) => desk().say(...said),
    call: (call) => desk().call(call),
    ask: (callID) => desk().ask(callID),
    plan: (entries) => desk().plan(entries),
    used: (usage) => desk().used(usage),
    read: (file) => desk().read(file),
    write: (file) => desk().write(file),
    run: (command) => desk().run(command),
    subagent: (told) => desk().subagent(told),
    fail: (error) => desk().fail(error),
  }
}

/** The program as it was named last in its conversation, with what is known now. */
function named({ facts }: OpenedProgram, { transcript }: TurnContext, tells: boolean): MessageProgram {
  const before = transcript
    .all()
    .findLast(({ info }) => info.role === "assistant" && info.program?.conversation === facts.conversation)?.info
  const { spent, context } = (before?.role === "assistant" && before.program) || {}
  return {
    ...facts,
    begun: facts.begun === "new" && tells ? "told" : facts.begun,
    ...(spent !== undefined && { spent }),
    ...(context && { context }),
  }
}

async function open(
  deps: ProgramDeps,
  turn: TurnContext,
  { desk, signal }: { desk: ProgramDesk; signal: AbortSignal },
): Promise<OpenedProgram> {
  const { programs } = deps
  const guest = programs.guests.take(turn.session.id)
  if (guest !== null) return guest.open(desk)
  if (programs.host === null) throw new Error("No programs run as agents here.")
  const last = lastProgram(turn)
  return programs.host.open(
    {
      place: await programs.placeOf(turn),
      agent: turn.agent.name,
      name: turn.agent.program ?? turn.agent.name,
      sessionID: turn.session.id,
      directory: turn.session.directory,
      earlier: last === null || last.begun === "inside" ? null : last.conversation,
      mayWrite: await mayWrite(deps, turn),
      signal,
    },
    desk,
  )
}

/** The program as the last message of the turn's agent names it. */
function lastProgram({ transcript, agent }: TurnContext): MessageProgram | null {
  const last = transcript
    .all()
    .findLast(({ info }) => info.role === "assistant" && info.agent === agent.name && info.program)?.info
  return (last?.role === "assistant" && last.program) || null
}

/** Whether the session is that of a subagent which a program started by itself. */
function isInside(turn: TurnContext): boolean {
  return lastProgram(turn)?.begun === "inside"
}

/** Nothing failed: the subagent ended because Docket did. */
class ProgramGoneError extends Error {
  constructor() {
    super("The Docket process stopped, and with it the program that had started this subagent.")
  }
}

/** Where no file may be changed, nothing but the sandbox holds a program to it. */
async function mayWrite({ broker }: ProgramDeps, turn: TurnContext): Promise<boolean> {
  const { rules, ceilings, session, agent } = turn
  if (evaluateStrictest("edit", "*", [rules, ...ceilings]).action === "deny") return false
  const commands = [agent.program ?? agent.name]
  return broker.refuseChanges({ sessionID: session.id, rules, ceilings, commands }).then(
    () => true,
    (error: unknown) => {
      if (error instanceof PermissionDeniedError) return false
      throw error
    },
  )
}

/** A program that was ended in its answer cannot go on in it: what waited for a person is over. */
async function closeUnfinished(deps: ProgramDeps, turn: TurnContext, { message, calls }: OpenStep): Promise<void> {
  for (const call of calls) {
    deps.broker.release(call)
    void turn.writer.part(await interruptedPart(call, deps.clock(), "the Docket process stopped"))
  }
  const text = "The Docket process stopped while this was being written."
  const error: MessageError = { name: "InterruptedError", message: text, statusCode: null, retryable: false }
  void turn.writer.message({ ...message, error, time: { ...message.time, completed: deps.clock() } })
  turn.userMessage = writeUserMessage(deps, turn, [restartedPart])
  await turn.writer.settled()
}

/** Most questions of one answer that wait for people at a time. */
const mostQuestions = 32

interface Prompted {
  answer: ProgramAnswer
  desk: ProgramDesk
  /** Ends the answer. */
  settle(end: ProgramEnd | null, failure: unknown): Promise<StepOutcome>
}

/** A prompt that a program answers. */
function createPrompted(
  deps: ProgramDeps,
  turn: TurnContext,
  { stop, todos }: { stop: AbortController; todos: ProgramTodos },
): Prompted {
  /** Aborts when the answer has ended: nothing waits for a person any more then, and what the program says is not heard. */
  const over = new AbortController()
  const isOver = () => over.signal.aborted
  const signal = AbortSignal.any([turn.signal, stop.signal, over.signal])
  let broken: Error | null = null
  let isRejected = false
  let isOverLimit = false
  /** What people said when they refused something, which the program has to be told. */
  const said: string[] = []
  /** Calls that have not ended. */
  const told = new Map<string, Parameters<ProgramDesk["call"]>[0]>()
  let questions = 0
  const fail = (error: Error) => {
    broken ??= error
    stop.abort(error)
  }
  const answer = createProgramAnswer(deps, turn, {
    fail,
    onLimit() {
      isOverLimit = true
      stop.abort(new Error("A limit was reached."))
    },
  })
  const work = createProgramWork(deps, turn, {
    answer,
    over: over.signal,
    onRejected(error) {
      isRejected = true
      stop.abort(error)
    },
  })
  const refused = (callID: string, title: string, error: unknown) => {
    const isPersons = error instanceof PermissionRejectedError
    answer.refuse(callID, refusalOf(error, isPersons ? { rejected: true } : {}))
    if (!isPersons) return
    if (error.feedback !== null) return void said.push(`The user refused "${title}" and says: ${error.feedback}`)
    isRejected = true
    stop.abort(error)
  }
  return {
    answer,
    desk: {
      say(...what) {
        if (!isOver()) answer.say(...what)
      },
      call(call) {
        if (isOver()) return
        if (isEnded(call)) told.delete(call.id)
        else told.set(call.id, call)
        answer.call(call)
      },
      async ask(callID) {
        const call = told.get(callID)
        const part = answer.part(callID)
        if (isOver() || call === undefined || part === null) return false
        // What waits for a person has begun: a restart finds it so.
        if (call.state === "pending") answer.call({ ...call, state: "running" })
        questions += 1
        try {
          if (questions > mostQuestions)
            throw new Error(`${mostQuestions} of its questions wait already. It may ask again when one is answered.`)
          await answer.files().ready
          const place = await askPlace(deps, turn, { messageID: part.messageID, callID, signal })
          work.allow(await turn.time.pauseFor(() => askForCall(call, place, deps.programs.env)))
          return true
        } catch (error) {
          if (!signal.aborted) refused(callID, call.title, error)
          return false
        } finally {
          questions -= 1
        }
      },
      plan(entries) {
        if (!isOver()) todos.put(entries, answer.message().id)
      },
      used({ spent, context }) {
        if (isOver()) return
        const program = answer.program()
        if (context !== null && program !== null) answer.name({ ...program, context })
        if (spent !== null) answer.spend(spent)
      },
      read: work.read,
      write: work.write,
      run: work.run,
      subagent: work.subagent,
      fail,
    },
    async settle(end, failure) {
      over.abort(new Error("The answer has ended."))
      await work.end()
      await todos.settled()
      const outcome = ((): StepOutcome => {
        if (turn.signal.aborted) return { next: "failed", error: stopError(turn.signal) }
        if (broken !== null) return { next: "failed", error: failed(broken) }
        if (isRejected) return { next: "rejected", overflow: false }
        if (isOverLimit) return { next: "continue", overflow: false }
        if (failure !== null) return { next: "failed", error: failed(failure) }
        return endOutcome(end, said.length > 0)
      })()
      const error = outcome.next === "failed" ? outcome.error : null
      await answer.end({ finish: finishOf(outcome), error, tokens: end?.tokens ?? null })
      if (said.length > 0 && outcome.next === "continue") {
        const text = said.join("\n")
        const notice = { kind: "remark", text } as const
        turn.userMessage = writeUserMessage(deps, turn, [{ type: "text", text, synthetic: true, notice }])
        await turn.writer.settled()
      }
      return outcome
    },
  }
}

function finishOf({ next }: StepOutcome): string | null {
  return next === "failed" ? null : next === "stop" ? "stop" : "tool-calls"
}

function failed(error: unknown): MessageError {
  const name = error instanceof ProgramGoneError ? "InterruptedError" : "UnknownError"
  return { name, message: errorText(error), statusCode: null, retryable: false }
}

const endWords = {
  stopped: "The program stopped by itself before it was done.",
  refused: "The program refused to go on with this conversation.",
  "out of tokens": "The program's model reached its most tokens before it was done.",
  "out of steps": "The program reached its own limit of steps before it was done.",
} as const

function endOutcome(end: ProgramEnd | null, hasMore: boolean): StepOutcome {
  // Many programs stop at a refusal. They read then why.
  if (hasMore) return { next: "continue", overflow: false }
  const why = end?.why ?? "done"
  return why === "done"
    ? { next: "stop", overflow: false }
    : { next: "failed", error: failed(new Error(endWords[why])) }
}

async function askPlace(
  deps: ProgramDeps,
  turn: TurnContext,
  { signal, ...call }: { messageID: string; callID: string; signal: AbortSignal },
): Promise<AskPlace> {
  const { session, rules, ceilings } = turn
  return {
    directory: session.directory,
    worktree: turn.project.worktree,
    outputDirectory: await deps.outputDirectory(session.id),
    ownDirectories: deps.ownDirectories,
    directoryLimits: deps.workspace.limits(),
    skillDirectories: turn.skills.map(({ place }) => place),
    ownPlan: null,
    async ask(request) {
      await orAborted(deps.broker.ask({ session, rules, ceilings, ...call, request, signal }), signal)
    },
    refuseChanges: (commands) => deps.broker.refuseChanges({ sessionID: session.id, rules, ceilings, commands }),
  }
}
