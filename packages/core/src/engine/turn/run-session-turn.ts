import { createLateWaits, lateText } from "../../ground/concurrency/late-waits.ts"
import { pause } from "../../ground/concurrency/pause.ts"
import type { Timers } from "../../ground/concurrency/timers.ts"
import { DocketError, isDocketError, StaleTurnError, TreeLostError } from "../../ground/error/docket-error.ts"
import { isRefusal } from "../../ground/event/final-writes.ts"
import type { Journal } from "../../ground/event/journal.ts"
import { toTokenUsage, type Usage } from "../../ground/message/usage.ts"
import type { ScannerSources } from "../../ground/redact/index.ts"
import type { Agent, MessageError, MessageWithParts, Session, Turn } from "../../ground/schema/index.ts"
import type { Mutation, Store } from "../../ground/store/index.ts"
import { inSpan, type Span, type Trace } from "../../ground/trace/trace.ts"
import { isUntitled } from "../../records/session/session-title.ts"
import { titleFrom } from "../../records/session/title-from.ts"
import { existingDirectory } from "../../setup/project/projects.ts"
import { readStream } from "../../setup/provider/read-stream.ts"
import type { LoopModels } from "../loop/choose-model.ts"
import type { Hooks } from "../loop/hooks.ts"
import type { InlineCommandRunners } from "../loop/inline-command-runner.ts"
import type { SessionNotes } from "../loop/session-notes.ts"
import type { TurnFiles } from "../loop/step-files.ts"
import { ServiceStopping, stopError, stopStatus } from "../loop/stop-reason.ts"
import type { TranscriptCache } from "../loop/transcript.ts"
import type { TurnContext } from "../loop/turn-context.ts"
import type { Repositories } from "../repository/create-repositories.ts"
import type { Background } from "./background.ts"
import { type EndTurnDeps, endTurn, endUnstarted, publishStatus } from "./end-turn.ts"
import { type RunTurnDeps, runTurn, type TurnEnd } from "./run-turn.ts"
import type { BeginTurn } from "./session-queues.ts"
import { type GivenTurn, loadTranscript, type StartTurnDeps, startTurn, type TurnSetup } from "./start-turn.ts"
import type { TurnQueue } from "./turn-queue.ts"

export interface SessionTurnDeps extends Pick<TurnFiles, "filesSettled"> {
  // The dependencies of each stage.
  claim: ClaimTurnDeps
  start: StartTurnDeps
  run: RunTurnDeps
  end: EndTurnDeps
  title: TitleDeps
  store: Pick<Store, "session" | "transcript" | "turn">
  journal: Pick<Journal, "commit">
  hooks: Pick<Hooks, "turnEnded">
  repositories: Pick<Repositories, "enter" | "turnEnds">
  notes: Pick<SessionNotes, "notified">
  setupOf(session: Session): Promise<TurnSetup>
  /** Transcripts of sessions that ran recently, so that a long one is not read again for each turn. */
  transcripts: TranscriptCache
  /** Work that continues beside the turn (titles). */
  background: Background
  trace: Trace
  clock: () => number
  timers: Timers
  /** Is told what a turn waits for, when that is late. */
  onLate(text: string): void
  /** What nobody else may read of a tree. */
  scanSourcesOf(rootID: string): Promise<Pick<ScannerSources, "known" | "patterns">>
  onError(error: unknown): void
}

/**
 * Runs one turn from claim to end and returns its final row. Errors inside are stored as the turn's error; the session
 * is idle afterwards.
 */
export async function runSessionTurn(
  deps: SessionTurnDeps,
  queued: Turn,
  run: { signal: AbortSignal; begin: BeginTurn },
): Promise<Turn> {
  const claimed = await claimTurn(deps.claim, queued, run)
  if (claimed === null) return (await deps.store.turn.get(queued.id).catch(() => null)) ?? queued
  const { span, turn } = beginTurnSpan(deps, claimed)
  return inSpan(span, async () => {
    const ended = await runClaimed(deps, turn, { signal: run.signal, span })
    span.note({ status: ended.status })
    return ended
  })
}

async function runClaimed(
  deps: SessionTurnDeps,
  claimed: Turn,
  { signal, span }: { signal: AbortSignal; span: Span<"turn"> },
): Promise<Turn> {
  // Aborted when another runner has the turn: everything that still runs here stops.
  const lost = new AbortController()
  const waits = createLateWaits({
    ...{ clock: deps.clock, timers: deps.timers },
    onLate(late) {
      const text = lateText(late)
      span.late(text)
      deps.onLate(`turn ${claimed.id} of session ${claimed.sessionID} waits for ${text}`)
    },
  })
  const isTreeLost = () => signal.reason instanceof TreeLostError
  let context: TurnContext | null = null
  let end: TurnEnd
  try {
    const begun = await prepareTurn(deps, claimed, {
      signal: AbortSignal.any([signal, lost.signal]),
      onStale: (error) => lost.abort(error),
      waits,
    })
    context = begun
    span.note({ agent: begun.agent.name, model: begun.model.modelID, provider: begun.model.providerID })
    publishStatus(deps.end, context.session)
    nameInBackground(deps, context)
    end = await runTurn(deps.run, context).finally(() => deps.filesSettled(begun))
    // A lost tree is the business of the node that has it.
    if (!isTreeLost() && !lost.signal.aborted) await deps.repositories.turnEnds(begun)
    await waits.during("the database", () => begun.writer.settled())
  } catch (error) {
    if (error instanceof StaleTurnError || lost.signal.aborted || isTreeLost()) {
      deps.transcripts.delete(claimed.sessionID)
      return claimed
    }
    end = { status: signal.aborted ? stopStatus(signal) : "failed", error: turnError(deps, error, signal) }
    // After this, all pending writes are stored or lost.
    await deps.journal.commit(claimed.rootID, []).catch(() => {})
  } finally {
    waits.close()
    context?.time.end()
    context?.release()
  }
  if (end.status !== "completed") deps.transcripts.delete(claimed.sessionID)
  // The node that goes on with it stores how it ends.
  if (isTreeLost()) return claimed
  const ended = await endTurn(deps.end, context?.turn ?? claimed, end, signal)
  deps.background.add(() => deps.hooks.turnEnded(claimed.sessionID).catch(deps.onError))
  return ended
}

/** The span of a claimed turn, and the turn with what its next attempt is to follow. */
function beginTurnSpan(
  { trace, scanSourcesOf }: Pick<SessionTurnDeps, "trace" | "scanSourcesOf">,
  claimed: Turn,
): { span: Span<"turn">; turn: Turn } {
  const { id: turnID, sessionID, rootID, attempt, input, time } = claimed
  // A turn that waited for a person when its process ended is not counted as another attempt.
  const isTakeover = attempt > 1 || claimed.messageID !== null
  const cause = claimed.trace
  const span = trace.begin(
    "turn",
    { agent: input.agent ?? "", sessionID, rootID, turnID, attempt, isTakeover, secrets: () => scanSourcesOf(rootID) },
    {
      parent: cause?.how === "within" ? cause.of : null,
      follows: cause?.how === "after" ? cause.of : undefined,
      ...(!isTakeover && { since: time.created }),
    },
  )
  if (isTakeover) return { span, turn: claimed }
  span.run(() => trace.begin("queue", {}, { since: time.created }).end())
  if (span.id === null) return { span, turn: claimed }
  return { span, turn: { ...claimed, trace: { of: span.id, how: "after" } } }
}

function nameInBackground(deps: Pick<SessionTurnDeps, "title" | "background" | "onError">, context: TurnContext): void {
  deps.background.add(async (closing) => {
    const signal = AbortSignal.any([context.signal, closing])
    await nameSession(deps.title, context, signal).catch((error) => {
      if (!signal.aborted) deps.onError(error)
    })
  })
}

async function prepareTurn(
  deps: SessionTurnDeps,
  turn: Turn,
  stop: Pick<GivenTurn, "signal" | "onStale" | "waits">,
): Promise<TurnContext> {
  await stop.waits.during("the files of the repository", () => deps.repositories.enter(turn.rootID, stop.signal))
  const session = await deps.store.session.get(turn.sessionID)
  if (session === null) throw new DocketError("session_not_found", `The session ${turn.sessionID} was removed.`)
  const [setup] = await stop.waits.during("the settings of the project", () =>
    Promise.all([deps.setupOf(session), existingDirectory(session.directory)]),
  )
  const transcript = deps.transcripts.get(session) ?? (await loadTranscript(deps.store, session.id))
  deps.transcripts.set(turn, transcript)
  deps.notes.notified(session)
  return stop.waits.during("the beginning of the turn", () =>
    startTurn(deps.start, turn, { session, setup, transcript, ...stop }),
  )
}

function turnError(deps: Pick<SessionTurnDeps, "onError">, error: unknown, signal: AbortSignal): MessageError {
  if (signal.aborted) return stopError(signal)
  if (isDocketError(error)) {
    const name =
      error.code === "model_not_found" || error.code === "provider_not_found" ? "UnknownModelError" : "UnknownError"
    return { name, message: error.message, statusCode: null, retryable: false }
  }
  deps.onError(error)
  const text = error instanceof Error ? error.message : String(error)
  return { name: "UnknownError", message: `Docket failed in this turn: ${text}`, statusCode: null, retryable: false }
}

type ClaimTurnDeps = EndTurnDeps & { queue: Pick<TurnQueue, "claim" | "refresh"> }

/** A waiting turn is checked this often (ms), even if no event reports the end of the turn before it. */
const lookMs = 1_000

/**
 * Claims a queued turn as soon as the store responds, so that a waiting turn survives a failure of the store. Null when
 * the turn must not run here: it was stopped, another runtime has ended it, or the process closes.
 */
async function claimTurn(
  deps: ClaimTurnDeps,
  queued: Turn,
  { signal, begin }: { signal: AbortSignal; begin: BeginTurn },
): Promise<Turn | null> {
  const tried = new Set<number>()
  try {
    while (true) {
      const outcome = await claimOnce(deps, queued, { signal, begin, tried })
      if (outcome !== "later") return outcome
      await nextTurnEnd(deps, queued.sessionID, signal)
      await deps.queue.refresh(queued.sessionID)
      // The row stays queued: the next process or another runtime runs it.
      if (signal.reason instanceof ServiceStopping || signal.reason instanceof TreeLostError) return null
    }
  } catch (error) {
    if (isRefusal(error)) throw error
    // The process closes. The row stays queued, and the next process runs it.
    return null
  }
}

async function claimOnce(
  deps: ClaimTurnDeps,
  queued: Turn,
  { signal, begin, tried }: { signal: AbortSignal; begin: BeginTurn; tried: Set<number> },
): Promise<Turn | null | "later"> {
  let mustWait = false
  const attempt = async (): Promise<Turn | null> => {
    mustWait = false
    const claim = signal.aborted ? null : await deps.queue.claim(queued, tried)
    mustWait = claim === "wait"
    return claim === "wait" ? null : claim
  }
  const claimed = await deps.finalWrites.store({ rootID: queued.rootID }, () => begin(attempt))
  if (claimed !== null) return claimed
  if (!signal.aborted) return mustWait ? "later" : null
  if (signal.reason instanceof TreeLostError) return null
  await endUnstarted(deps, queued, signal)
  return null
}

/** Resolves when an event reports the end of a turn of the session, after a while, or when the signal aborts. */
async function nextTurnEnd({ bus }: Pick<EndTurnDeps, "bus">, sessionID: string, signal: AbortSignal): Promise<void> {
  const heard = new AbortController()
  const stop = bus.subscribe((event) => {
    if (event.type !== "turn.updated") return
    const { turn } = event.properties
    if (turn.sessionID === sessionID && turn.status !== "running") heard.abort()
  })
  await pause(lookMs, AbortSignal.any([signal, heard.signal])).finally(stop)
}

/** How many characters of the prompt the title agent reads. */
const titleInputLength = 8_000
/** How many characters of the prompt replace a missing title. */
const fallbackLength = 60

export interface TitleDeps {
  store: Pick<Store, "session">
  journal: Journal
  models: Pick<LoopModels, "resolve" | "smallModel" | "costOf">
  hooks: Pick<Hooks, "smallModel">
  inlineCommands: Pick<InlineCommandRunners, "find">
  providerTimeoutMs: number
}

/**
 * The hidden title agent names a root session after its first prompt. Without its answer the title is the beginning of
 * the prompt. While there are only inline commands, the title is the first one.
 */
export async function nameSession(deps: TitleDeps, turn: TurnContext, signal: AbortSignal): Promise<void> {
  if (turn.session.parentID !== null || turn.turn.input.noReply === true) return
  const messages = turn.transcript.all()
  const inlineCommand = firstInlineCommand(deps, messages)
  const isUnnamed = (session: Session) => isUntitled(session) || session.title === inlineCommand
  const agent = turn.agents.find((candidate) => candidate.name === "title")
  if (!isUnnamed(turn.session) || agent?.prompt == null) return
  const prompts = messages.flatMap((message) => promptText(deps, message))
  if (prompts.length > 1) return
  const [text] = prompts
  const { title, used } =
    text === undefined ? { title: "", used: null } : await askForTitle(deps, turn, { agent, text, signal })
  // Without an answer the text of the prompt distinguishes the session from others.
  const cleaned = titleFrom(title) || (text === undefined ? inlineCommand : titleFrom(text, fallbackLength))
  const current = await deps.store.session.get(turn.session.id)
  if (current === null) return
  const { id: sessionID, rootID } = current
  const mutations: Mutation[] = used === null ? [] : [{ kind: "session.used", sessionID, used }]
  if (cleaned !== "" && isUnnamed(current) && current.title !== cleaned) {
    mutations.push({ kind: "session.patch", sessionID, patch: { title: cleaned } })
  }
  if (mutations.length > 0) await deps.journal.commit(rootID, mutations)
}

/** The model's title (empty after a failure) and the usage of the call, if known. The call is no step of the turn. */
async function askForTitle(
  deps: TitleDeps,
  turn: TurnContext,
  { agent, text, signal }: { agent: Agent; text: string; signal: AbortSignal },
): Promise<{ title: string; used: Usage | null }> {
  let used: Usage | null = null
  try {
    const chosen = agent.model ?? (await deps.models.smallModel(turn.model, turn.config))
    const ref = agent.model ?? (await deps.hooks.smallModel(chosen, turn))
    const { model, info } = await deps.models.resolve(ref, turn.config)
    const prompt = [
      { role: "system" as const, content: agent.prompt ?? "" },
      { role: "user" as const, content: [{ type: "text" as const, text: text.slice(0, titleInputLength) }] },
    ]
    let title = ""
    const options = { prompt, ...(agent.temperature !== null && { temperature: agent.temperature }) }
    for await (const part of readStream(model, options, { signal, timeoutMs: deps.providerTimeoutMs })) {
      if (part.type === "text-delta") title += part.delta
      if (part.type === "error") throw part.error
      if (part.type !== "finish") continue
      const tokens = toTokenUsage(part.usage)
      used = { tokens, cost: deps.models.costOf(info, tokens) }
    }
    return { title, used }
  } catch {
    return { title: "", used }
  }
}

/** The text that the user typed or handed to subagents, without inline commands; empty for none. */
function promptText(deps: Pick<TitleDeps, "inlineCommands">, message: MessageWithParts): string[] {
  if (message.info.role !== "user") return []
  const { parts } = message
  const typed = typedText(message)
  const delegated = parts.flatMap((part) => (part.type === "subtask" ? [part.prompt] : []))
  const text = [deps.inlineCommands.find(typed, { finished: true }).rest, ...delegated].join("\n").trim()
  return text === "" ? [] : [text]
}

/** The title of a session that began only with inline commands; empty for any other session. */
function firstInlineCommand(deps: Pick<TitleDeps, "inlineCommands">, messages: MessageWithParts[]): string {
  const first = messages.find((message) => typedText(message).trim() !== "")
  return first === undefined || promptText(deps, first).length > 0 ? "" : titleFrom(typedText(first), fallbackLength)
}

function typedText({ info, parts }: MessageWithParts): string {
  if (info.role !== "user") return ""
  return parts.flatMap((part) => (part.type === "text" && !part.synthetic ? [part.text] : [])).join("\n")
}
