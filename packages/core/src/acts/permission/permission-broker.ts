import { isDeepStrictEqual } from "node:util"
import { DocketError, isDocketError } from "../../ground/error/docket-error.ts"
import { type FinalWrites, isRefusal } from "../../ground/event/final-writes.ts"
import type { Journal } from "../../ground/event/journal.ts"
import type { CreateId } from "../../ground/id/create-id.ts"
import { askReasons } from "../../ground/rule/ask-reasons.ts"
import { readingCommand } from "../../ground/rule/command-reads.ts"
import { evaluateRequest, type PermissionVerdict } from "../../ground/rule/evaluate.ts"
import { type Inquiry, isInquiry } from "../../ground/rule/is-inquiry.ts"
import { presetLabel } from "../../ground/rule/preset-labels.ts"
import type {
  Caller,
  PermissionMetadata,
  PermissionRequest,
  PermissionRuleset,
  Session,
} from "../../ground/schema/index.ts"
import type { PermissionStore, SessionStore, StandingGrantStore, WriteStore } from "../../ground/store/index.ts"
import { PermissionDeniedError, PermissionRejectedError } from "./error.ts"
import {
  type AskDecision,
  type ChangesInput,
  type ClosedFile,
  type ClosedFilesInput,
  closedFiles,
  createGrants,
  createJudge,
  type Grants,
  type Judge,
  type JudgeInput,
  type PermissionAsk,
  refuseChanges,
} from "./judge.ts"
import { endOf, notWaiting, type PermissionAnswer, type Settled } from "./permission-answer.ts"

export interface AskInput {
  session: Session
  /** The session's own rules, merged. */
  rules: PermissionRuleset
  /** The rules of each session above it. */
  ceilings: PermissionRuleset[]
  messageID: string
  callID: string
  request: PermissionAsk
  signal: AbortSignal
}

/** What an agent wants to know of a person. Its permission says whether it may ask at all. */
interface InquireInput extends Omit<AskInput, "request"> {
  request: { permission: string; metadata: Inquiry }
}

/** Where tool calls wait for the user. Requests are rows, so every front end sees and answers them. */
export interface PermissionBroker {
  /** Resolves when allowed, with the request if anybody was asked. @throws PermissionDeniedError, PermissionRejectedError, or the signal's reason */
  ask(input: AskInput): Promise<PermissionRequest | null>
  /**
   * Resolves when somebody has answered or dismissed it, with the request as it then is. A rule that asks or allows lets
   * it be asked. @throws as `ask`
   */
  inquire(input: InquireInput): Promise<PermissionRequest>
  /** Call with the commands that may change something. @throws PermissionDeniedError where only those that read are run */
  refuseChanges(input: ChangesInput): Promise<void>
  /** Of some files, those that a command may not read without asking. Nobody is asked. */
  closedFiles(input: ClosedFilesInput): Promise<ClosedFile[]>
  /** @throws permission_request_not_found, permission_request_answered, invalid_input */
  reply(id: string, answer: PermissionAnswer): Promise<PermissionRequest>
  /** A request as another runtime left it: an answer reaches the call that waits here, and what it allows, others. */
  notified(request: PermissionRequest): Promise<void>
  /** Other runtimes on the store may have allowed for good, in any tree, what waits here: it goes on, allowed once. */
  lookAgain(): Promise<void>
  /** The preset of the session has changed: what waits in its tree and is allowed by now goes on, allowed once. */
  reconsider(session: Pick<Session, "rootID" | "preset">): Promise<void>
  /** These, of a process that has ended, stand: their calls are made again and find them, with what was answered. */
  keep(requests: readonly PermissionRequest[]): void
  /** Closes those of the other pending requests that nobody waits for any more (after a crash). */
  expire(isLeft: (request: PermissionRequest) => boolean): Promise<void>
  /** A call has ended: what was kept for it is asked no more. */
  release(call: Pick<PermissionRequest, "sessionID" | "messageID" | "callID">): void
  /** From now on what waits stays for the next process. */
  close(): void
}

interface PermissionBrokerDeps extends RequestRowsDeps {
  store: PermissionStore
  standing: StandingGrantStore
  sessions: Pick<SessionStore, "get">
  /** Whether calls of other runtimes on the same store may wait too. */
  isShared: boolean
  createID: CreateId
  /** What extensions say of a question that the rules do not deny. */
  decide?(ask: AskInput): Promise<AskDecision>
}

export function createPermissionBroker(deps: PermissionBrokerDeps): PermissionBroker {
  const rows = createRequestRows(deps)
  const pending = createPendingRequests(rows)
  /** Asks that are looked at and do not wait yet: what is rejected meanwhile ends with them. */
  const prepared = new Set<{ sessionID: string; rejected: PermissionRequest | null }>()
  const grants = createGrants(deps)
  const judge = createJudge({ grants, sessions: deps.sessions })
  const letThrough = createLetThrough({ pending, judge, grants })
  const kept = createKeptRequests()

  const rejectOthers = async (request: PermissionRequest) => {
    for (const other of prepared) if (other.sessionID === request.sessionID) other.rejected = request
    const others = pending.all().filter((other) => other.request.sessionID === request.sessionID)
    for (const other of others) await pending.settle(other, { ...request, status: "rejected" })
  }

  /** Stores what the answer "always" allows. It is answered already: the call goes on, whatever comes of this. */
  const remember = async (closed: PermissionRequest) => {
    try {
      await grants.add(await grants.from(closed))
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause)
      const message = `It was allowed and goes on, but only this once: what "always" allows was not stored. ${why}`
      throw new DocketError(isDocketError(cause) ? cause.code : "store_unavailable", message, { cause })
    }
  }
  /** The request for an ask, and whether only an answer to it counts; null when it is allowed. */
  const prepare = async (input: AskInput): Promise<{ stored: PermissionRequest; forItself: boolean } | null> => {
    const { session, request } = input
    const asking = { sessionID: session.id, rejected: null as PermissionRequest | null }
    prepared.add(asking)
    try {
      const { verdict, rulesets } = await judge({ ...input, place: { rootID: session.rootID, sessionID: session.id } })
      if (verdict.action === "deny") throw deniedBy(request.permission, verdict)
      const decision = (await deps.decide?.(input)) ?? null
      if (decision === "deny")
        throw new PermissionDeniedError(request.permission, request.patterns[0] ?? "*", { reason: byExtension })
      if ((decision ?? verdict.action) === "allow") return null
      const { metadata } = request
      const about = typeof metadata === "function" ? await metadata() : metadata
      if (asking.rejected !== null) throw new PermissionRejectedError(asking.rejected.message, asking.rejected.by)
      const reasons = askReasons(
        request.permission,
        verdict.action === "ask" ? verdict.patterns : request.patterns,
        rulesets,
      )
      return { stored: { ...newRequest(deps, input, about), reasons }, forItself: decision === "ask" }
    } finally {
      prepared.delete(asking)
    }
  }
  const begin = (stored: PermissionRequest, input: WaitInput): Promise<PermissionRequest> => {
    input.signal.throwIfAborted()
    return pending.wait(stored, input, deps.journal.commit(stored.rootID, [{ kind: "permission", value: stored }]))
  }
  /** Waits on with a request that was kept; it may have been answered before, or meanwhile. */
  const goOn = async (request: PermissionRequest, input: WaitInput): Promise<PermissionRequest> => {
    input.signal.throwIfAborted()
    const look = async () => {
      const row = await deps.store.get(request.id)
      if (row === null) throw await notWaiting(deps.store, request.id, undefined)
      await notified(row)
    }
    const answered = pending.wait(request, input, Promise.resolve().then(look))
    kept.remove(request.id)
    // The process ended between the answer and its grants.
    if (request.status === "always") await grants.add(await grants.from(request))
    return answered
  }
  /** Nothing is asked by a request that was kept. */
  const drop = (request: PermissionRequest | null) => {
    if (request === null) return
    kept.remove(request.id)
    if (request.status === "pending") rows.expire(request)
  }
  const notified: PermissionBroker["notified"] = async (request) => {
    if (request.status === "pending") return
    const entry = pending.findOpen(request.id)
    if (entry === undefined) return request.status === "always" ? letThrough.byNow() : undefined
    pending.release(entry, request)
    if (request.status === "always") await letThrough.byAnswer(request)
    if (request.status === "rejected") await rejectOthers(request)
  }

  return {
    async ask(input) {
      const { session, messageID, callID, request } = input
      const before = kept.find({ sessionID: session.id, messageID, callID }, request)
      const asked = await prepare(input).catch((error) => {
        drop(before)
        throw error
      })
      if (asked === null) {
        drop(before)
        return null
      }
      const held = { ...input, isHeld: request.isHeld, forItself: asked.forItself }
      const answered = await (before === null ? begin(asked.stored, held) : goOn(before, held))
      // Before anything is done with it: after a crash it tells that the call may have run.
      const value = { ...answered, taken: true } as const
      await deps.journal.commit(answered.rootID, [{ kind: "permission", value }])
      return value
    },

    async inquire({ request, ...input }) {
      const { session, messageID, callID, rules, ceilings } = input
      const asked = { ...request, patterns: ["*"], always: [] }
      const before = kept.find({ sessionID: session.id, messageID, callID }, asked)
      const verdict = evaluateRequest({ ...asked, rules, ceilings, grants: [] })
      if (verdict.action === "deny") {
        drop(before)
        throw new PermissionDeniedError(request.permission, verdict.pattern)
      }
      if (before !== null) return goOn(before, input)
      return begin(newRequest(deps, { ...input, request: asked }, request.metadata), input)
    },

    refuseChanges: (input) => refuseChanges(deps.sessions, input),
    closedFiles: (input) => closedFiles({ grants, sessions: deps.sessions }, input),

    async reply(id, given) {
      const { by } = given
      const entry = pending.get(id)
      if (entry === undefined) {
        const request = await deps.store.get(id)
        if (request?.status !== "pending" || !(deps.isShared || kept.has(id)))
          throw await notWaiting(deps.store, id, by)
        // Another runtime waits for it and hears of the answer by its row, or its call is about to be made again.
        const closed = await rows.answer(request, endOf(request, given))
        try {
          // Only now: an answer that comes too late grants nothing.
          if (closed.status === "always") await remember(closed)
        } finally {
          // The call may have been made again meanwhile, and have found no answer yet.
          if (pending.findOpen(id) !== undefined) await notified(closed)
        }
        return closed
      }
      const closed = await pending.settle(entry, endOf(entry.request, given))
      if (closed.status === "always") {
        await remember(closed)
        await letThrough.byAnswer(closed)
      }
      if (closed.status === "rejected") await rejectOthers(closed)
      return closed
    },

    notified,
    keep: kept.keep,

    lookAgain: () => letThrough.byNow(),
    reconsider: ({ rootID, preset }) => letThrough.byNow({ rootID, by: preset?.by }),

    async expire(isLeft) {
      for (const request of await deps.store.pending()) {
        if (pending.get(request.id) === undefined && !kept.has(request.id) && isLeft(request))
          await rows.expired(request)
      }
    },

    release(call) {
      for (const request of kept.release(call)) drop(request)
    },
    close: pending.close,
  }
}

/** Why an extension denies, which says no more. */
const byExtension = "an extension denies it"

function deniedBy(permission: string, { pattern, rule }: Extract<PermissionVerdict, { action: "deny" }>) {
  const reason = rule.preset && `the session is set to “${presetLabel(rule.preset)}”`
  return new PermissionDeniedError(permission, pattern, { reason, mode: rule.mode })
}

/** What a call that waits is judged by, should it be judged again. */
interface WaitInput {
  signal: AbortSignal
  rules: PermissionRuleset
  ceilings: PermissionRuleset[]
  isHeld?: PermissionAsk["isHeld"]
  /** Only an answer to it lets it go: an extension wants a person to be asked. */
  forItself?: boolean
}

/** A call of this process that waits for an answer. */
interface Waiting extends WaitInput {
  request: PermissionRequest
  /** Resolves when the request has its row: only then can it be answered. */
  stored: Promise<unknown>
  resolve(answered: PermissionRequest): void
  reject(error: Error): void
}

/** The calls of this process that wait for a person. */
interface PendingRequests {
  get(id: string): Waiting | undefined
  /** The same, also while an answer to it is being stored here: another runtime's may come first. */
  findOpen(id: string): Waiting | undefined
  /** Those that wait now. */
  all(): Waiting[]
  /** Resolves when a request is answered that `commit` stores. @throws PermissionRejectedError, or the signal's reason */
  wait(request: PermissionRequest, input: WaitInput, commit: Promise<unknown>): Promise<PermissionRequest>
  /** Stores the answer to what waits, and lets it go. @throws permission_request_answered when another came first */
  settle(entry: Waiting, end: Settled): Promise<PermissionRequest>
  /** Lets go what another runtime stored the answer to. */
  release(entry: Waiting, answered: PermissionRequest): void
  /** From now on what waits stays for the next process. */
  close(): void
}

function createPendingRequests(rows: Pick<RequestRows, "answer" | "expire">): PendingRequests {
  const waiting = new Map<string, Waiting>()
  /** What is being answered here, with the answer of another runtime that was heard of meanwhile. */
  const settling = new Map<string, { entry: Waiting; late: PermissionRequest | null }>()
  let isClosed = false
  const letGo = (entry: Waiting, answered: PermissionRequest) => {
    if (answered.status === "rejected") entry.reject(new PermissionRejectedError(answered.message, answered.by))
    else entry.resolve(answered)
  }
  return {
    get: (id) => waiting.get(id),
    findOpen: (id) => waiting.get(id) ?? settling.get(id)?.entry,
    all: () => [...waiting.values()],
    async wait(request, input, commit) {
      const { signal } = input
      const answered = Promise.withResolvers<PermissionRequest>()
      // It may be rejected while the request is still being stored, before anything waits for it.
      answered.promise.catch(() => {})
      const { resolve, reject } = answered
      waiting.set(request.id, { ...input, request, stored: commit, resolve, reject })
      const onAbort = () => {
        reject(signal.reason)
        if (waiting.delete(request.id) && !isClosed) rows.expire(request)
      }
      signal.addEventListener("abort", onAbort, { once: true })
      try {
        await commit.catch((error) => {
          // It may be stored all the same.
          if (!isRefusal(error)) rows.expire(request)
          throw error
        })
        return await answered.promise
      } finally {
        waiting.delete(request.id)
        signal.removeEventListener("abort", onAbort)
      }
    },
    async settle(entry, end) {
      const { id } = entry.request
      const state = { entry, late: null as PermissionRequest | null }
      waiting.delete(id)
      settling.set(id, state)
      try {
        await entry.stored
        const closed = await rows.answer(entry.request, end)
        letGo(entry, closed)
        return closed
      } catch (error) {
        // This answer was not stored: another one was, or the request still waits for one.
        if (state.late !== null) letGo(entry, state.late)
        else if (!entry.signal.aborted) waiting.set(id, entry)
        throw error
      } finally {
        settling.delete(id)
      }
    },
    release(entry, answered) {
      const state = settling.get(entry.request.id)
      if (waiting.delete(entry.request.id)) letGo(entry, answered)
      else if (state !== undefined) state.late = answered
    },
    close() {
      isClosed = true
    },
  }
}

/** A request that waits, as it is judged again: rules of before, presets and grants as they are now. */
function waitingInput({ request, isHeld, rules, ceilings }: Waiting): JudgeInput {
  return { place: request, request: { ...request, command: readingCommand(request), isHeld }, rules, ceilings }
}

interface LetThroughDeps {
  pending: PendingRequests
  judge: Judge
  grants: Pick<Grants, "from">
}

/** Answers what waits and is allowed by now. Questions and plans are for people alone. */
interface LetThrough {
  /** By the answer "always" to a request, whose grants another runtime may still store. */
  byAnswer(request: PermissionRequest): Promise<void>
  /** By presets and what is stored, as they are now: allowed once. In one tree, or in all of them. */
  byNow(options?: { rootID?: string; by?: Caller | undefined }): Promise<void>
}

function createLetThrough({ pending, judge, grants }: LetThroughDeps): LetThrough {
  return {
    async byAnswer(request) {
      const given = await grants.from(request)
      for (const entry of pending.all()) {
        const { request: other } = entry
        if (other.id === request.id || isForItself(entry)) continue
        if (given.standing === null && other.rootID !== request.rootID) continue
        if ((await judge(waitingInput(entry), given)).verdict.action !== "allow") continue
        // Meanwhile it may have been answered by itself.
        if (pending.get(other.id) === undefined) continue
        await pending.settle(entry, { ...request, status: "always", message: null }).catch(unlessAnswered)
      }
    },
    async byNow({ rootID, by } = {}) {
      for (const entry of pending.all()) {
        const { request } = entry
        if ((rootID !== undefined && request.rootID !== rootID) || isForItself(entry)) continue
        if ((await judge(waitingInput(entry))).verdict.action !== "allow") continue
        if (pending.get(request.id) === undefined) continue
        await pending.settle(entry, { status: "once", message: null, ...(by && { by }) }).catch(unlessAnswered)
      }
    },
  }
}

/** Whether nothing but an answer to it lets it go. */
function isForItself({ request, forItself }: Waiting): boolean {
  return forItself === true || isInquiry(request.metadata)
}

/** Whoever answered it meanwhile has the word. */
function unlessAnswered(error: unknown): void {
  if (!isDocketError(error) || error.code !== "permission_request_answered") throw error
}

interface RequestRowsDeps {
  store: Pick<PermissionStore, "get">
  write: Pick<WriteStore, "closePermission">
  journal: Journal
  finalWrites: FinalWrites
  clock: () => number
}

/** How the rows of requests end. */
interface RequestRows {
  /** Stores the one answer to a request. @throws permission_request_answered when another came first */
  answer(request: Pick<PermissionRequest, "id">, end: Settled): Promise<PermissionRequest>
  /** Nobody waits for an answer any more. */
  expired(request: PermissionRequest): Promise<PermissionRequest>
  /** As `expired`, in the background. What cannot be stored before the process ends, the next start puts right. */
  expire(request: PermissionRequest): void
}

function createRequestRows({ store, write, journal, finalWrites, clock }: RequestRowsDeps): RequestRows {
  const expired: RequestRows["expired"] = async (request) => {
    const time = { ...request.time, replied: clock() }
    const closed = { ...request, status: "expired", message: null, time } as const
    await journal.commit(request.rootID, [{ kind: "permission", value: closed }])
    return closed
  }
  return {
    expired,
    expire(request) {
      finalWrites.store({ rootID: request.rootID }, () => expired(request)).catch(() => {})
    },
    async answer({ id }, end) {
      const change = await write.closePermission(id, {
        status: end.status,
        message: end.message,
        ...(end.by && { by: end.by }),
        ...(end.remembered && { remembered: end.remembered }),
        ...(end.answers && { answers: end.answers }),
        replied: clock(),
      })
      if (change?.kind !== "permission") throw await notWaiting(store, id, end.by)
      journal.publish(change)
      return change.value
    },
  }
}

type Call = Pick<PermissionRequest, "sessionID" | "messageID" | "callID">

/**
 * Requests of calls that a process left when it ended. The calls are made again: each finds what it asked before, with
 * the answer if there is one.
 */
interface KeptRequests {
  keep(requests: readonly PermissionRequest[]): void
  has(id: string): boolean
  /** The request by which the call asked the same before; null when it did not. */
  find(call: Call, asked: Pick<PermissionRequest, "permission" | "patterns">): PermissionRequest | null
  remove(id: string): void
  /** Takes out those of a call. */
  release(call: Call): PermissionRequest[]
}

function createKeptRequests(): KeptRequests {
  const kept = new Map<string, PermissionRequest>()
  const ofCall = ({ sessionID, messageID, callID }: Call) =>
    [...kept.values()].filter(
      (request) => request.sessionID === sessionID && request.messageID === messageID && request.callID === callID,
    )
  return {
    keep(requests) {
      for (const request of requests) kept.set(request.id, request)
    },
    has: (id) => kept.has(id),
    find: (call, { permission, patterns }) =>
      ofCall(call).find(
        (request) => request.permission === permission && isDeepStrictEqual(request.patterns, patterns),
      ) ?? null,
    remove: (id) => void kept.delete(id),
    release(call) {
      const left = ofCall(call)
      for (const { id } of left) kept.delete(id)
      return left
    },
  }
}

/** Who asks, and for what. */
interface Asked {
  session: Session
  messageID: string
  callID: string
  request: Pick<PermissionAsk, "permission" | "patterns" | "always" | "unknown">
}

/** A request that nobody has answered yet. */
function newRequest(
  deps: { createID: CreateId; clock: () => number },
  { session, request, messageID, callID }: Asked,
  metadata: PermissionMetadata,
): PermissionRequest {
  return {
    id: deps.createID("permission"),
    rootID: session.rootID,
    sessionID: session.id,
    messageID,
    callID,
    permission: request.permission,
    patterns: request.patterns,
    always: request.always,
    ...(request.unknown && { unknown: request.unknown }),
    metadata,
    status: "pending",
    message: null,
    time: { created: deps.clock(), replied: null },
  }
}
