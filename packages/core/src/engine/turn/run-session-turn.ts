import { pause } from "../../ground/concurrency/pause.ts"
import { DocketError, isDocketError, StaleTurnError } from "../../ground/error/docket-error.ts"
import { isRefusal } from "../../ground/event/final-writes.ts"
import type { Journal } from "../../ground/event/journal.ts"
import type { MessageError, Session, Turn } from "../../ground/schema/index.ts"
import type { Store } from "../../ground/store/index.ts"
import { existingDirectory } from "../../setup/project/projects.ts"
import type { Hooks } from "../loop/hooks.ts"
import type { SessionNotes } from "../loop/session-notes.ts"
import type { TurnFiles } from "../loop/step-files.ts"
import { ServiceStopping, stopError, stopStatus } from "../loop/stop-reason.ts"
import type { TranscriptCache } from "../loop/transcript-cache.ts"
import type { TurnContext } from "../loop/turn-context.ts"
import type { Background } from "./background.ts"
import { type EndTurnDeps, endTurn, endUnstarted, publishStatus } from "./end-turn.ts"
import { type RunTurnDeps, runTurn, type TurnEnd } from "./run-turn.ts"
import type { BeginTurn } from "./session-queues.ts"
import { type GivenTurn, loadTranscript, type StartTurnDeps, startTurn, type TurnSetup } from "./start-turn.ts"
import { nameSession, type TitleDeps } from "./title.ts"
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
  notes: Pick<SessionNotes, "notified">
  setupOf(session: Session): Promise<TurnSetup>
  /** Transcripts of sessions that ran recently, so that a long one is not read again for each turn. */
  transcripts: TranscriptCache
  /** Work that continues beside the turn (titles). */
  background: Background
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
  const { signal } = run
  // Aborted when another runner has the turn: everything that still runs here stops.
  const lost = new AbortController()
  let context: TurnContext | null = null
  let end: TurnEnd
  try {
    const begun = await begin(deps, claimed, {
      signal: AbortSignal.any([signal, lost.signal]),
      onStale: (error) => lost.abort(error),
    })
    context = begun
    publishStatus(deps.end, context.session)
    nameInBackground(deps, context)
    end = await runTurn(deps.run, context).finally(() => deps.filesSettled(begun))
    await context.writer.settled()
  } catch (error) {
    if (error instanceof StaleTurnError || lost.signal.aborted) {
      deps.transcripts.delete(queued.sessionID)
      return claimed
    }
    end = { status: signal.aborted ? stopStatus(signal) : "failed", error: unexpected(deps, error, signal) }
    // After this, all pending writes are stored or lost.
    await deps.journal.commit(claimed.rootID, []).catch(() => {})
  } finally {
    context?.work.end()
    context?.release()
  }
  if (end.status !== "completed") deps.transcripts.delete(queued.sessionID)
  const ended = await endTurn(deps.end, context?.turn ?? claimed, end, signal)
  deps.background.add(() => deps.hooks.turnEnded(queued.sessionID).catch(deps.onError))
  return ended
}

function nameInBackground(deps: Pick<SessionTurnDeps, "title" | "background" | "onError">, context: TurnContext): void {
  deps.background.add(async (closing) => {
    const signal = AbortSignal.any([context.signal, closing])
    await nameSession(deps.title, context, signal).catch((error) => {
      if (!signal.aborted) deps.onError(error)
    })
  })
}

async function begin(
  deps: SessionTurnDeps,
  turn: Turn,
  stop: Pick<GivenTurn, "signal" | "onStale">,
): Promise<TurnContext> {
  const session = await deps.store.session.get(turn.sessionID)
  if (session === null) throw new DocketError("session_not_found", `The session ${turn.sessionID} was removed.`)
  const [setup] = await Promise.all([deps.setupOf(session), existingDirectory(session.directory)])
  const transcript = deps.transcripts.get(session) ?? (await loadTranscript(deps.store, session.id))
  deps.transcripts.set(turn, transcript)
  deps.notes.notified(session)
  return startTurn(deps.start, turn, { session, setup, transcript, ...stop })
}

function unexpected(deps: Pick<SessionTurnDeps, "onError">, error: unknown, signal: AbortSignal): MessageError {
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

type ClaimTurnDeps = EndTurnDeps & { queue: Pick<TurnQueue, "claim"> }

/** How long (ms) a waiting turn is not checked when no event about the turn before it arrives. */
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
      await turnEnded(deps, queued.sessionID, signal)
      // The row stays queued: the next process or another runtime runs it.
      if (signal.reason instanceof ServiceStopping) return null
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
  await endUnstarted(deps, queued, signal)
  return null
}

/** Resolves when an event reports the end of a turn of the session, after a while, or when the signal aborts. */
async function turnEnded({ bus }: Pick<EndTurnDeps, "bus">, sessionID: string, signal: AbortSignal): Promise<void> {
  const heard = new AbortController()
  const stop = bus.subscribe((event) => {
    if (event.type !== "turn.updated") return
    const { turn } = event.properties
    if (turn.sessionID === sessionID && turn.status !== "running") heard.abort()
  })
  await pause(lookMs, AbortSignal.any([signal, heard.signal])).finally(stop)
}
