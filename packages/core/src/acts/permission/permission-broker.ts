import { isDeepStrictEqual } from "node:util"
import { DocketError, isDocketError, StaleTurnError } from "../../ground/error/docket-error.ts"
import { type FinalWrites, isRefusal } from "../../ground/event/final-writes.ts"
import type { Journal } from "../../ground/event/journal.ts"
import type { CreateId } from "../../ground/id/create-id.ts"
import { askReasons } from "../../ground/rule/ask-reasons.ts"
import { readingCommand } from "../../ground/rule/command-reads.ts"
import { isDefaultRule } from "../../ground/rule/default-rule.ts"
import { evaluatePermission, evaluateRequest, type PermissionVerdict } from "../../ground/rule/evaluate.ts"
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
import { inSpan, type Trace } from "../../ground/trace/trace.ts"
import { PermissionDeniedError, PermissionRejectedError } from "./error.ts"
import {
  type AskDecision,
  type AskVerdict,
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
  /** The rules of each session above. */
  ceilings: PermissionRuleset[]
  messageID: string
  callID: string
  request: PermissionAsk
  signal: AbortSignal
}

/** What a request is judged by. */
type JudgedInput = Pick<AskInput, "session" | "rules" | "ceilings" | "request">

/** A question of an agent to a person. Its permission decides whether the agent may ask. */
interface InquireInput extends Omit<AskInput, "request"> {
  request: { permission: string; metadata: Inquiry }
}

/** Where tool calls wait for the user. Requests are rows, so every front end can show and answer them. */
export interface PermissionBroker {
  /**
   * Resolves when allowed, with the request if a person was asked. @throws PermissionDeniedError,
   * PermissionRejectedError, or the signal's reason
   */
  ask(input: AskInput): Promise<PermissionRequest | null>
  /**
   * Resolves with the request once a person has answered or dismissed it. Asks unless a rule denies it.
   * @throws as `ask`
   */
  inquire(input: InquireInput): Promise<PermissionRequest>
  /**
   * Call it with what was allowed before: the preset may have changed since. Asks nobody.
   * @throws PermissionDeniedError
   */
  refuseDenied(input: JudgedInput): Promise<void>
  /**
   * Call it with commands that may change files.
   * @throws PermissionDeniedError when only commands that change nothing may run
   */
  refuseChanges(input: ChangesInput): Promise<void>
  /** Those of the files that a command may not read without asking. Asks nobody. */
  closedFiles(input: ClosedFilesInput): Promise<ClosedFile[]>
  /** @throws permission_request_not_found, permission_request_answered, invalid_input */
  reply(id: string, answer: PermissionAnswer): Promise<PermissionRequest>
  /**
   * A request as another runtime stored it. Its answer reaches the call that waits here, and its grants other calls.
   */
  notified(request: PermissionRequest): Promise<void>
  /** Other runtimes may have stored grants: requests that wait here and are allowed now continue, allowed once. */
  lookAgain(): Promise<void>
  /** The preset of the session has changed: requests in its tree that are allowed now continue, allowed once. */
  reconsider(session: Pick<Session, "rootID" | "preset">): Promise<void>
  /** Keeps requests of an ended process open: their calls are made again and find them with their answers. */
  keep(requests: readonly PermissionRequest[]): void
  /** Closes other pending requests that nothing waits for any more (after a crash). */
  expire(isOrphaned: (request: PermissionRequest) => boolean): Promise<void>
  /** A call has ended: its kept requests expire. */
  release(call: Pick<PermissionRequest, "sessionID" | "messageID" | "callID">): void
  /** From now on, waiting requests are left for the next process. */
  close(): void
}

interface PermissionBrokerDeps extends RequestRowsDeps {
  store: PermissionStore
  standing: StandingGrantStore
  sessions: Pick<SessionStore, "get">
  /** Whether calls in other runtimes on the store may wait too. */
  isShared: boolean
  createID: CreateId
  trace: Pick<Trace, "begin">
  /** The decision of extensions on a request that the rules do not deny. */
  decide?(ask: AskInput & { verdict: AskVerdict }): Promise<AskDecision>
  /** A person is being asked. */
  asked?(request: PermissionRequest): void
}

export function createPermissionBroker(deps: PermissionBrokerDeps): PermissionBroker {
  const rows = createRequestRows(deps)
  const pending = createPendingRequests(rows)
  /** Requests that are being prepared. A rejection in their session during that time ends them too. */
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

  /** Stores the grants of the answer "always". The call continues even if this fails. */
  const remember = async (closed: PermissionRequest) => {
    try {
      await grants.add(await grants.from(closed))
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause)
      const message = `It was allowed and goes on, but only this once: what "always" allows was not stored. ${why}`
      throw new DocketError(isDocketError(cause) ? cause.code : "store_unavailable", message, { cause })
    }
  }
  const judgeUndenied = async (input: JudgedInput) => {
    const { session, request } = input
    const { verdict, rulesets } = await judge({ ...input, place: { rootID: session.rootID, sessionID: session.id } })
    if (verdict.action === "deny") throw deniedBy(request.permission, verdict)
    return { verdict, rulesets }
  }
  /** The request to store, and whether only an answer to it counts; null when it is allowed. */
  const prepare = async (input: AskInput): Promise<{ stored: PermissionRequest; forItself: boolean } | null> => {
    const { session, request } = input
    const asking = { sessionID: session.id, rejected: null as PermissionRequest | null }
    prepared.add(asking)
    try {
      const { verdict, rulesets } = await judgeUndenied(input)
      const decision =
        (await deps.decide?.({ ...input, verdict: verdictOf(request.permission, verdict, rulesets) })) ?? null
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
  const wait = (request: PermissionRequest, input: WaitInput, commit: Promise<unknown>): Promise<PermissionRequest> => {
    const span = deps.trace.begin("permission", { permission: request.permission })
    return inSpan(span, async () => {
      const answered = await pending.wait(request, input, commit)
      span.note({ answer: answered.status })
      return answered
    })
  }
  const begin = (stored: PermissionRequest, input: WaitInput): Promise<PermissionRequest> => {
    input.signal.throwIfAborted()
    deps.asked?.(stored)
    return wait(stored, input, deps.journal.commit(stored.rootID, [{ kind: "permission", value: stored }]))
  }
  /** Continues to wait for a kept request, which may have been answered meanwhile. */
  const goOn = async (request: PermissionRequest, input: WaitInput): Promise<PermissionRequest> => {
    input.signal.throwIfAborted()
    const look = async () => {
      const row = await deps.store.get(request.id)
      if (row === null) throw await notWaiting(deps.store, request.id, undefined)
      await notified(row)
    }
    const answered = wait(request, input, Promise.resolve().then(look))
    kept.remove(request.id)
    // The process ended after the answer and before its grants were stored.
    if (request.status === "always") await grants.add(await grants.from(request))
    return answered
  }
  /** Expires a kept request that no call needs any more. */
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
      const waitInput = { ...input, isConfined: request.isConfined, forItself: asked.forItself }
      const answered = await (before === null ? begin(asked.stored, waitInput) : goOn(before, waitInput))
      // Stored before the call continues: after a crash it shows that the call may have run.
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

    async refuseDenied(input) {
      await judgeUndenied(input)
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
        // The call waits in another runtime, which gets the answer from the row, or is about to be made again.
        const closed = await rows.answer(request, endOf(request, given))
        try {
          // Only after the answer was stored: an answer that comes too late grants nothing.
          if (closed.status === "always") await remember(closed)
        } finally {
          // The call may have been made again meanwhile and have found no answer.
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

    async expire(isOrphaned) {
      for (const request of await deps.store.pending()) {
        if (pending.get(request.id) === undefined && !kept.has(request.id) && isOrphaned(request))
          await rows.expired(request)
      }
    },

    release(call) {
      for (const request of kept.release(call)) drop(request)
    },
    close: pending.close,
  }
}

function verdictOf(
  permission: string,
  verdict: PermissionVerdict,
  rulesets: readonly [PermissionRuleset, ...PermissionRuleset[]],
): AskVerdict {
  if (verdict.action !== "ask") return "allow"
  const asking = verdict.patterns.flatMap((pattern) =>
    rulesets.map((rules) => evaluatePermission(permission, pattern, rules)).filter(({ action }) => action === "ask"),
  )
  if (asking.some(({ heldBack, untrusted }) => heldBack || untrusted)) return "held"
  return asking.every(isDefaultRule) ? "unset" : "asked"
}

/** The reason when an extension gives none. */
const byExtension = "an extension denies it"

function deniedBy(permission: string, { pattern, rule }: Extract<PermissionVerdict, { action: "deny" }>) {
  const reason = rule.preset && `the session is set to “${presetLabel(rule.preset)}”`
  return new PermissionDeniedError(permission, pattern, { reason, mode: rule.mode })
}

/** What is needed to judge a waiting call again. */
interface WaitInput {
  signal: AbortSignal
  rules: PermissionRuleset
  ceilings: PermissionRuleset[]
  isConfined?: PermissionAsk["isConfined"]
  /** Only an answer to this request counts: an extension wants a person to be asked. */
  forItself?: boolean
}

/** A call of this process that waits for an answer. */
interface Waiting extends WaitInput {
  request: PermissionRequest
  /** Resolves when the request is stored: it can be answered only afterwards. */
  stored: Promise<unknown>
  resolve(answered: PermissionRequest): void
  reject(error: Error): void
}

/** The calls of this process that wait for a person. */
interface PendingRequests {
  get(id: string): Waiting | undefined
  /** Like `get`, also while an answer is being stored here: the answer of another runtime may come first. */
  findOpen(id: string): Waiting | undefined
  /** All waiting calls. */
  all(): Waiting[]
  /**
   * Resolves when the request, which `commit` stores, is answered.
   * @throws PermissionRejectedError, or the signal's reason
   */
  wait(request: PermissionRequest, input: WaitInput, commit: Promise<unknown>): Promise<PermissionRequest>
  /**
   * Stores the answer to a waiting call, which then continues.
   * @throws permission_request_answered when another came first
   */
  settle(entry: Waiting, end: Settled): Promise<PermissionRequest>
  /** Lets a call continue whose answer another runtime has stored. */
  release(entry: Waiting, answered: PermissionRequest): void
  /** From now on, waiting requests are left for the next process. */
  close(): void
}

function createPendingRequests(rows: Pick<RequestRows, "answer" | "expire">): PendingRequests {
  const waiting = new Map<string, Waiting>()
  /** Requests that are being answered here, with an answer of another runtime that arrived meanwhile. */
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
      // It may be rejected while the request is still being stored, before anything awaits it.
      answered.promise.catch(() => {})
      const { resolve, reject } = answered
      waiting.set(request.id, { ...input, request, stored: commit, resolve, reject })
      const onAbort = () => {
        reject(signal.reason)
        // Another process that has the turn goes on waiting for the answer.
        const isLeft = isClosed || signal.reason instanceof StaleTurnError
        if (waiting.delete(request.id) && !isLeft) rows.expire(request)
      }
      signal.addEventListener("abort", onAbort, { once: true })
      try {
        await commit.catch((error) => {
          // The request may be stored although the write failed.
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
        // This answer was not stored: another one was, or the request still waits for an answer.
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

/** A waiting request, to be judged again: with its earlier rules, and the current presets and grants. */
function waitingInput({ request, isConfined, rules, ceilings }: Waiting): JudgeInput {
  return { place: request, request: { ...request, command: readingCommand(request), isConfined }, rules, ceilings }
}

interface LetThroughDeps {
  pending: PendingRequests
  judge: Judge
  grants: Pick<Grants, "from">
}

/** Answers waiting requests that are allowed by now. Questions and plans are always left to people. */
interface LetThrough {
  /** Uses the grants of an "always" answer, which another runtime may still be storing. */
  byAnswer(request: PermissionRequest): Promise<void>
  /** Uses the current presets and stored grants; requests are allowed once. In one tree, or in all trees. */
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
        // It may have been answered itself meanwhile.
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

/** Whether only an answer to this request lets its call continue. */
function isForItself({ request, forItself }: Waiting): boolean {
  return forItself === true || isInquiry(request.metadata)
}

/** An answer that came first counts. */
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

/** Stores the end of requests. */
interface RequestRows {
  /** Stores the only answer to a request. @throws permission_request_answered when another came first */
  answer(request: Pick<PermissionRequest, "id">, end: Settled): Promise<PermissionRequest>
  /** Closes a request that nothing waits for any more. */
  expired(request: PermissionRequest): Promise<PermissionRequest>
  /** Like `expired`, in the background. If the process ends before the write, the next start repairs it. */
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
 * Open requests of calls whose process has ended. The calls are made again, and each finds its earlier requests with
 * their answers.
 */
interface KeptRequests {
  keep(requests: readonly PermissionRequest[]): void
  has(id: string): boolean
  /** The earlier request of the call for the same permission and patterns; null for none. */
  find(call: Call, asked: Pick<PermissionRequest, "permission" | "patterns">): PermissionRequest | null
  remove(id: string): void
  /** Removes and returns the requests of a call. */
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

/** The session and call that ask, and their request. */
interface Asked {
  session: Session
  messageID: string
  callID: string
  request: Pick<PermissionAsk, "permission" | "patterns" | "always" | "unknown">
}

/** A new pending request. */
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
