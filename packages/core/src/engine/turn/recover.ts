import { StaleTurnError } from "../../ground/error/docket-error.ts"
import type { Journal } from "../../ground/event/journal.ts"
import type { Usage } from "../../ground/message/usage.ts"
import type { MessageError, Part, Session, Turn } from "../../ground/schema/index.ts"
import type { Mutation, Store } from "../../ground/store/index.ts"
import type { MarkerFiles } from "../../records/session/marker-files.ts"
import { interruptedPart } from "../calls/interrupted-part.ts"
import { endsTurn } from "../loop/stop-reason.ts"
import type { Leases } from "./leases.ts"
import type { WaitingTurns } from "./waiting-turns.ts"

/** A turn that was claimed this often without ending crashes its process: it is not tried again. */
const maxAttempts = 3
/** An interrupted turn older than this (ms) waits for the user instead of continuing by itself. */
const maxAge = 15 * 60_000
/** How many recently changed sessions are checked at the start: their work may have ended just before a crash. */
const latestRoots = 100

interface RecoverDeps {
  store: Store
  journal: Journal
  stopMarkers: Pick<MarkerFiles, "list" | "remove">
  clock: () => number
  /** Whether no live runtime works in the tree. */
  isLeft(row: { rootID: string }): boolean
  /** Records file changes of the turn's tools that were not recorded yet. */
  stepFiles(session: Session, turn: Turn): Promise<Mutation[]>
  /** The turns that continue where they are. */
  waiting: Pick<WaitingTurns, "turns" | "parts">
}

/** The open turns that nothing runs: those of trees in which no other runtime works. Other trees are left to it. */
export function leftBehind(open: Turn[], leases: Pick<Leases, "isElsewhere">): Turn[] {
  const busy = new Set(open.filter(leases.isElsewhere).map((turn) => turn.rootID))
  return open.filter((turn) => !busy.has(turn.rootID))
}

/**
 * Repairs the state after a crash, before anything runs: no tool part stays pending or running, no message open, no
 * session busy.
 * @param open turns that nothing runs
 * @returns the turns to queue, in order: waiting prompts, root turns that may continue, turns that wait for a person
 */
export async function recover(deps: RecoverDeps, open: Turn[]): Promise<Turn[]> {
  const stopped = new Set(await deps.stopMarkers.list())
  const queue: Turn[] = []
  await stopClocks(deps, open)
  for (const turn of open) {
    const session = await deps.store.session.get(turn.sessionID)
    if (session === null) continue
    if (deps.waiting.turns.has(turn.id)) {
      const left = await keepWaiting(deps, turn, session)
      if (left !== null) queue.push(left)
      continue
    }
    const status = leftStatus(turn, session, { isStopped: stopped.has(turn.id), now: deps.clock() })
    const left = turn.status === status ? turn : await interrupt(deps, turn, session, status)
    if (left?.status === "queued") queue.push(left)
  }
  for (const turnID of stopped) if (await isSettled(deps, turnID)) await deps.stopMarkers.remove(turnID)
  return queue
}

/** Whether the stop marker of a turn can be removed. A turn that still runs may wait for the store to take its end. */
async function isSettled({ store, isLeft }: RecoverDeps, turnID: string): Promise<boolean> {
  const turn = await store.turn.get(turnID)
  return turn === null || isLeft(turn) || (turn.status !== "queued" && turn.status !== "running")
}

/** The new status of an open turn that nothing runs. */
function leftStatus(
  turn: Turn,
  session: Session,
  { isStopped, now }: { isStopped: boolean; now: number },
): "queued" | "interrupted" | "aborted" {
  if (isStopped) return "aborted"
  // The parent call that queued a prompt in a child is gone.
  if (turn.status === "queued") return session.parentID === null ? "queued" : "interrupted"
  return mayGoOn(turn, session, now) ? "queued" : "interrupted"
}

/** Stops the clocks of trees at the crash: the time while the process was down does not count as work. */
async function stopClocks(deps: RecoverDeps, open: Turn[]): Promise<void> {
  const rootIDs = new Set(open.map((turn) => turn.rootID))
  // The end of a tree's work is stored a moment after the end of its last turn, so recent trees are checked too.
  const latest = await deps.store.session.listRoots({ archived: false, limit: latestRoots })
  for (const { session } of latest.items) {
    if (session.tree?.since != null && deps.isLeft(session)) rootIDs.add(session.id)
  }
  for (const rootID of rootIDs) {
    const tree = (await deps.store.session.get(rootID))?.tree
    if (!tree || tree.since === null) continue
    const patch = { tree: { ...tree, since: null } }
    await deps.journal.commit(rootID, [{ kind: "session.patch", sessionID: rootID, patch }])
  }
}

function mayGoOn(turn: Turn, session: Session, now: number): boolean {
  const isYoung = now - turn.time.created < maxAge
  return session.parentID === null && turn.attempt < maxAttempts && isYoung && session.abortedAt === null
}

/**
 * Leaves a turn open that waits for a person, or for a turn that does, so that it continues there. The outcome of other
 * calls in its step is unknown. It counts as one attempt, however often the process ends meanwhile.
 */
async function keepWaiting(deps: RecoverDeps, turn: Turn, session: Session): Promise<Turn | null> {
  const now = deps.clock()
  const mutations: Mutation[] = []
  const open = await deps.store.transcript.openToolParts(session.id)
  // A batch waits for those of its calls that do.
  const waits = new Set(
    open.flatMap((part) => {
      if (!deps.waiting.parts.has(part.id)) return []
      return part.type === "tool" && part.batchID !== undefined ? [part.id, part.batchID] : [part.id]
    }),
  )
  for (const part of open) {
    if (part.type !== "tool" || part.state.status !== "running" || waits.has(part.id)) continue
    mutations.push({ kind: "part", value: await interruptedPart(part, now, "the Docket process stopped") })
  }
  mutations.push(...(await deps.stepFiles(session, turn)))
  return commitLeft(deps, turn, { status: "queued", attempt: turn.attempt - 1 }, mutations)
}

async function interrupt(
  deps: RecoverDeps,
  turn: Turn,
  session: Session,
  status: "queued" | "interrupted" | "aborted",
): Promise<Turn | null> {
  const now = deps.clock()
  const error = {
    name: "InterruptedError",
    message: "The Docket process stopped while this was being written.",
    statusCode: null,
    retryable: false,
  } as const
  const mutations = await closeOpen(deps.store, session.id, { now, why: "the Docket process stopped", error })
  mutations.push(...(await deps.stepFiles(session, turn)))
  const ended = status !== "queued" && ({ ended: { at: now, how: "stopped" } } as const)
  mutations.push({ kind: "session.patch", sessionID: session.id, patch: { status: { type: "idle" }, ...ended } })
  const time = { ...turn.time, ended: now }
  return commitLeft(deps, turn, { status, ...(status !== "queued" && { time }) }, mutations)
}

/** Stores the new state of a turn; null when another runtime has repaired it. */
async function commitLeft(
  { journal }: RecoverDeps,
  turn: Turn,
  change: Partial<Turn>,
  mutations: Mutation[],
): Promise<Turn | null> {
  // The new epoch rejects all writes of the former runner, should it still live.
  const value: Turn = { ...turn, ...change, epoch: turn.epoch + 1 }
  const fence = { turnID: turn.id, epoch: turn.epoch }
  try {
    await journal.commit(turn.rootID, [...mutations, { kind: "turn", value }], fence)
    return value
  } catch (error) {
    if (error instanceof StaleTurnError) return null
    throw error
  }
}

/** Closes the messages and tool calls that a session left open. `why` completes "… while the tool ran". */
export async function closeOpen(
  store: Pick<Store, "transcript">,
  sessionID: string,
  { now, why, error }: { now: number; why: string; error: MessageError },
): Promise<Mutation[]> {
  const mutations: Mutation[] = []
  for (const part of await store.transcript.openToolParts(sessionID)) {
    if (part.type === "tool") mutations.push({ kind: "part", value: await interruptedPart(part, now, why) })
  }
  for (const info of await store.transcript.openMessages(sessionID)) {
    if (info.role !== "assistant") continue
    const { items } = await store.transcript.page({ sessionID, around: info.id, limit: 1 })
    const parts = items.find((item) => item.info.id === info.id)?.parts ?? []
    for (const part of parts) {
      const closed = closedText(part, now)
      if (closed !== null) mutations.push({ kind: "part", value: closed })
    }
    const time = { ...info.time, completed: now }
    // The call that ends the turn had completed before the process ended.
    const end = parts.some(endsTurn)
      ? { finish: info.finish ?? ("tool-calls" as const) }
      : { finish: info.finish ?? ("interrupted" as const), error }
    mutations.push({ kind: "message", value: { ...info, ...stepUsage(parts), ...end, time } })
  }
  return mutations
}

/**
 * The usage of a step whose calls still ran: its message gets it only after them. The session's totals contain it
 * already, because they are stored with this part.
 */
function stepUsage(parts: Part[]): Usage | null {
  const finish = parts.findLast((part) => part.type === "step-finish")
  return finish === undefined ? null : { tokens: finish.tokens, cost: finish.cost }
}

/** Ends a text that was still streaming; null for every other part. */
function closedText(part: Part, now: number): Part | null {
  if ((part.type !== "text" && part.type !== "reasoning") || !part.time || part.time.end !== null) return null
  return { ...part, time: { ...part.time, end: now } }
}
