import type { Bus } from "../../ground/event/bus.ts"
import type { FinalWrites } from "../../ground/event/final-writes.ts"
import type { CreateId } from "../../ground/id/create-id.ts"
import { noTokens } from "../../ground/message/usage.ts"
import type {
  AssistantMessage,
  MessageError,
  Session,
  SessionEnd,
  Turn,
  UserMessage,
} from "../../ground/schema/index.ts"
import type { Mutation, Store } from "../../ground/store/index.ts"
import { answersToComments } from "../../records/review/answers.ts"
import type { MarkerFiles } from "../../records/session/marker-files.ts"
import { StoppedByUser, stoppedBy } from "../loop/stop-reason.ts"
import type { TurnContext } from "../loop/turn-context.ts"
import { type Stamp, typedCommand, writeUserMessage } from "../loop/write-message.ts"
import { closeOpen } from "./recover.ts"
import type { TurnEnd } from "./run-turn.ts"
import type { TurnQueue } from "./turn-queue.ts"

export interface EndTurnDeps {
  store: Pick<Store, "session" | "transcript" | "turn" | "review">
  queue: Pick<TurnQueue, "release" | "forget">
  bus: Bus
  finalWrites: FinalWrites
  /** Files that name turns stopped while the store failed: a restart must not continue them. */
  stopMarkers: MarkerFiles
  createID: CreateId
  clock: () => number
  onError(error: unknown): void
}

/**
 * Stores the end of a claimed turn and closes its open messages and calls. Resolves with the stored turn, or with the
 * given one when the process closes before that.
 */
export async function endTurn(deps: EndTurnDeps, turn: Turn, end: TurnEnd, signal: AbortSignal): Promise<Turn> {
  const ended = { ...end, time: { ...turn.time, ended: deps.clock() } }
  let isFirst = true
  const attempt = async (): Promise<Turn> => {
    // All writes of a completed turn were stored, so memory is right. For any other turn only the row is right.
    const row = isFirst && end.status === "completed" ? turn : await deps.store.turn.get(turn.id)
    isFirst = false
    // The session was removed, or another runner has the turn.
    if (row === null || row.epoch !== turn.epoch) return row ?? { ...turn, ...ended }
    if (row.status !== "running") return alreadyStored(deps, row)
    const { by } = stoppedBy(signal.reason)
    const stopped = { ...row, ...ended, ...(by && { stoppedBy: by }) }
    return storeEnd(deps, stopped, end.error, signal.reason instanceof StoppedByUser)
  }
  return settleStored(deps, turn, attempt, signal)
}

/** A write that seemed to fail has stored the end. Readers may have been told that the turn waits for the store. */
async function alreadyStored(deps: EndTurnDeps, row: Turn): Promise<Turn> {
  const session = await deps.store.session.get(row.sessionID)
  if (session !== null) publishStatus(deps, session)
  return row
}

/** Ends a turn that was stopped before it was claimed. */
export function endUnstarted(deps: EndTurnDeps, turn: Turn, signal: AbortSignal): Promise<Turn> {
  return settleStored(deps, turn, () => deps.queue.forget(turn), signal)
}

async function settleStored(
  deps: EndTurnDeps,
  turn: Turn,
  attempt: () => Promise<Turn>,
  signal: AbortSignal,
): Promise<Turn> {
  const { rootID, sessionID, id } = turn
  const isStopped = signal.reason instanceof StoppedByUser
  const keepMarker = () => void deps.stopMarkers.add(id).catch(deps.onError)
  try {
    return await deps.finalWrites.store({ rootID, sessionID }, attempt, isStopped ? { onFailure: keepMarker } : {})
  } catch {
    // The session was removed, another runner has the turn, or the process closes and the next start ends the turn.
    return turn
  } finally {
    if (isStopped && !deps.finalWrites.isClosed()) await deps.stopMarkers.remove(id).catch(deps.onError)
  }
}

async function storeEnd(deps: EndTurnDeps, ended: Turn, error: MessageError | null, isStopped: boolean): Promise<Turn> {
  const session = await deps.store.session.get(ended.sessionID)
  const mutations: Mutation[] = []
  if (session !== null) mutations.push(...(await answersToComments(deps.store, session.id)))
  if (session !== null && error !== null) mutations.push(...(await closeFailed(deps, ended, session, error)))
  if (session !== null) {
    const now = deps.clock()
    // The flag is missing when the store failed while the turn was stopped.
    const flag = isStopped && { abortedAt: session.abortedAt ?? now }
    // Nothing was done that a person would look at.
    const how = ended.input.noReply === true && ended.status === "completed" ? undefined : turnEnds[ended.status]
    const end = how !== undefined && { ended: { at: now, how } }
    const patch = { status: { type: "idle" }, time: { ...session.time, updated: now }, ...end, ...flag } as const
    mutations.push({ kind: "session.patch", sessionID: session.id, patch })
  }
  await deps.queue.release(ended, mutations)
  if (session !== null) publishStatus(deps, { ...session, status: { type: "idle" } })
  if (session !== null && error !== null && ended.status === "failed") publishError(deps, session, error)
  return ended
}

/** How a session describes the end of its last turn. */
const turnEnds: Partial<Record<Turn["status"], SessionEnd["how"]>> = {
  completed: "completed",
  failed: "failed",
  aborted: "stopped",
  interrupted: "stopped",
}

/** Closes the transcript of a failed turn: nothing stays open, and the prompt is stored with an answer. */
async function closeFailed(deps: EndTurnDeps, turn: Turn, session: Session, error: MessageError): Promise<Mutation[]> {
  if (turn.messageID === null) return failedStart(deps, turn, session, error)
  const mutations = await closeOpen(deps.store, session.id, { now: deps.clock(), why: "Docket failed", error })
  const { items } = await deps.store.transcript.page({ sessionID: session.id, limit: 1 })
  const last = items.at(-1)?.info
  if (turn.status === "failed" && last?.role === "user") mutations.push(failedAnswer(deps, last, error))
  return mutations
}

export function publishStatus(
  deps: Pick<EndTurnDeps, "bus">,
  session: Pick<Session, "id" | "rootID" | "status">,
): void {
  const properties = { sessionID: session.id, status: session.status }
  const event = { type: "session.status", rootID: session.rootID, seq: null, properties } as const
  deps.bus.publish(event)
}

function publishError(deps: EndTurnDeps, session: Session, error: MessageError): void {
  const event = {
    type: "session.error",
    rootID: session.rootID,
    seq: null,
    properties: { sessionID: session.id, error },
  } as const
  deps.bus.publish(event)
}

const noModel = { providerID: "none", modelID: "none" }

/**
 * Stores the prompt of a turn that could not start (its agent or directory is gone, the disk was full) with an answer
 * that gives the reason, so that the user's text is not lost.
 */
function failedStart(deps: Stamp, turn: Turn, session: Session, error: MessageError): Mutation[] {
  const mutations: Mutation[] = []
  const put = async (mutation: Mutation) => void mutations.push(mutation)
  const writer: Pick<TurnContext["writer"], "message" | "part" | "commentsRead"> = {
    message: (value) => put({ kind: "message", value }),
    part: (value) => put({ kind: "part", value }),
    // No agent has read the comments: they may be sent again.
    commentsRead: () => {},
  }
  const agent = { name: turn.input.agent ?? session.agent }
  const model = turn.input.model ?? session.model ?? noModel
  const author = { session, agent, model, variant: turn.input.variant ?? null, writer }
  const parts = turn.input.parts.map((part) =>
    part.type === "command" ? ({ type: "text", text: typedCommand(part) } as const) : part,
  )
  const user = writeUserMessage(deps, author, parts, { system: turn.input.system, by: turn.by })
  return [...mutations, failedAnswer(deps, user, error)]
}

/** An answer to `prompt` that contains only the error. */
function failedAnswer(deps: Stamp, prompt: UserMessage, error: MessageError): Mutation {
  const now = deps.clock()
  const value: AssistantMessage = {
    id: deps.createID("message"),
    sessionID: prompt.sessionID,
    role: "assistant",
    parentID: prompt.id,
    agent: prompt.agent,
    model: prompt.model,
    finish: null,
    error,
    cost: 0,
    tokens: noTokens,
    time: { created: now, completed: now },
  }
  return { kind: "message", value }
}
