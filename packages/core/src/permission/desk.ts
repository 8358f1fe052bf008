import { isDocketError } from "../error/docket-error.ts"
import { type Endings, isRefusal } from "../event/endings.ts"
import type { Journal } from "../event/journal.ts"
import type { CreateId } from "../id/create-id.ts"
import { askReasons } from "../rule/ask-reasons.ts"
import { evaluateRequest, type PermissionVerdict } from "../rule/evaluate-request.ts"
import { type Inquiry, isInquiry } from "../rule/is-inquiry.ts"
import { presetLabel } from "../rule/preset-words.ts"
import type { PermissionMetadata, PermissionRequest, PermissionRuleset, Session } from "../schema/index.ts"
import type { PermissionStore, SessionStore, StandingGrantStore, WriteStore } from "../store/index.ts"
import { notWaiting } from "./answered-words.ts"
import { endOf, type PermissionAnswer, type Settled } from "./end-of.ts"
import { PermissionDeniedError, PermissionRejectedError } from "./error.ts"
import { createGrants } from "./grants.ts"
import { createJudge, type JudgeInput } from "./judge.ts"
import { createKeptRequests } from "./kept-requests.ts"
import type { PermissionAsk } from "./permission-ask.ts"

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
export interface InquireInput extends Omit<AskInput, "request"> {
  request: { permission: string; metadata: Inquiry }
}

/** Where tool calls wait for the user. Requests are rows, so every front end sees and answers them. */
export interface PermissionDesk {
  /** Resolves when allowed. @throws PermissionDeniedError, PermissionRejectedError, or the signal's reason */
  ask(input: AskInput): Promise<void>
  /**
   * Resolves when somebody has answered or dismissed it, with the request as it then is. A rule that asks or allows lets
   * it be asked. @throws as `ask`
   */
  inquire(input: InquireInput): Promise<PermissionRequest>
  /** @throws permission_request_not_found, permission_request_answered, invalid_input */
  reply(id: string, answer: PermissionAnswer): Promise<PermissionRequest>
  /** A request as another runtime left it: an answer reaches the call that waits here. */
  hear(request: PermissionRequest): Promise<void>
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

export interface DeskDeps {
  store: PermissionStore
  standing: StandingGrantStore
  sessions: Pick<SessionStore, "get">
  write: Pick<WriteStore, "closePermission">
  journal: Journal
  endings: Endings
  /** Whether calls of other runtimes on the same store may wait too. */
  isShared: boolean
  createID: CreateId
  clock: () => number
}

interface Waiting {
  request: PermissionRequest
  isHeld: PermissionAsk["isHeld"]
  rules: PermissionRuleset
  ceilings: PermissionRuleset[]
  signal: AbortSignal
  /** Resolves when the request has its row: only then can it be answered. */
  stored: Promise<unknown>
  resolve(answered: PermissionRequest): void
  reject(error: Error): void
}

type WaitInput = Pick<AskInput, "signal" | "rules" | "ceilings"> & Pick<PermissionAsk, "isHeld">
type NewRequest = Pick<AskInput, "session" | "messageID" | "callID"> & {
  request: Pick<PermissionAsk, "permission" | "patterns" | "always">
}

const expired = { status: "expired", message: null } as const

export function createPermissionDesk(deps: DeskDeps): PermissionDesk {
  const waiting = new Map<string, Waiting>()
  /** Asks that are looked at and do not wait yet: what is rejected meanwhile ends with them. */
  const prepared = new Set<{ sessionID: string; rejected: PermissionRequest | null }>()
  const grants = createGrants(deps)
  const judge = createJudge({ grants, sessions: deps.sessions })
  const kept = createKeptRequests()
  let isClosed = false

  const close = async (request: PermissionRequest, end: Pick<PermissionRequest, "status" | "message" | "by">) => {
    const closed = { ...request, ...end, time: { ...request.time, replied: deps.clock() } }
    await deps.journal.commit(request.rootID, [{ kind: "permission", value: closed }])
    return closed
  }
  /** Nobody waits for the answer any more. What cannot be stored before the process ends, the next start puts right. */
  const expire = (request: PermissionRequest) => {
    deps.endings.store({ rootID: request.rootID }, () => close(request, expired)).catch(() => {})
  }
  /** Stores the one answer to a request. @throws permission_request_answered when another came first */
  const answer = async ({ id }: PermissionRequest, end: Settled) => {
    const change = await deps.write.closePermission(id, {
      status: end.status,
      message: end.message,
      ...(end.by && { by: end.by }),
      ...(end.remembered && { remembered: end.remembered }),
      ...(end.answers && { answers: end.answers }),
      replied: deps.clock(),
    })
    if (change?.kind !== "permission") throw await notWaiting(deps.store, id, end.by)
    deps.journal.publish(change)
    return change.value
  }
  const settle = async (entry: Waiting, end: Settled) => {
    waiting.delete(entry.request.id)
    await entry.stored
    const closed = await answer(entry.request, end).catch((error) => {
      // The answer was not stored, so the request still waits for one.
      if (!entry.signal.aborted) waiting.set(entry.request.id, entry)
      throw error
    })
    if (end.status === "rejected") entry.reject(new PermissionRejectedError(end.message))
    else entry.resolve(closed)
    return closed
  }
  /** Answers what waits and is granted by now, by this answer too: another runtime may still store its grants. */
  const allowGranted = async (request: PermissionRequest) => {
    const given = await grants.from(request)
    for (const entry of [...waiting.values()]) {
      const { request: other } = entry
      if (other.id === request.id || isInquiry(other.metadata)) continue
      if (given.standing === null && other.rootID !== request.rootID) continue
      if ((await judge(waitingInput(entry), given)).verdict.action !== "allow") continue
      // Meanwhile it may have been answered by itself.
      if (waiting.has(other.id)) await settle(entry, { ...request, status: "always", message: null })
    }
  }

  const rejectOthers = async (request: PermissionRequest) => {
    for (const other of prepared) if (other.sessionID === request.sessionID) other.rejected = request
    const others = [...waiting.values()].filter((other) => other.request.sessionID === request.sessionID)
    for (const other of others) await settle(other, { ...request, status: "rejected" })
  }

  /** The request for an ask; null when rules or grants allow it. */
  const prepare = async (input: AskInput): Promise<PermissionRequest | null> => {
    const { session, request } = input
    const asking = { sessionID: session.id, rejected: null as PermissionRequest | null }
    prepared.add(asking)
    try {
      const { verdict, rulesets } = await judge({ ...input, place: { rootID: session.rootID, sessionID: session.id } })
      if (verdict.action === "allow") return null
      if (verdict.action === "deny") throw deniedBy(request.permission, verdict)
      const { metadata } = request
      const about = typeof metadata === "function" ? await metadata() : metadata
      if (asking.rejected !== null) throw new PermissionRejectedError(asking.rejected.message)
      const reasons = askReasons(request.permission, verdict.patterns, rulesets)
      return { ...newRequest(deps, input, about), reasons }
    } finally {
      prepared.delete(asking)
    }
  }
  /** Resolves when a request is answered that `commit` stores. @throws PermissionRejectedError, or the signal's reason */
  const wait = async (
    stored: PermissionRequest,
    { signal, rules, ceilings, isHeld }: WaitInput,
    commit: Promise<unknown>,
  ): Promise<PermissionRequest> => {
    const answered = Promise.withResolvers<PermissionRequest>()
    // It may be rejected while the request is still being stored, before anything waits for it.
    answered.promise.catch(() => {})
    const { resolve, reject } = answered
    waiting.set(stored.id, { request: stored, isHeld, rules, ceilings, signal, stored: commit, resolve, reject })
    const onAbort = () => {
      reject(signal.reason)
      if (waiting.delete(stored.id) && !isClosed) expire(stored)
    }
    signal.addEventListener("abort", onAbort, { once: true })
    try {
      await commit.catch((error) => {
        // It may be stored all the same.
        if (!isRefusal(error)) expire(stored)
        throw error
      })
      return await answered.promise
    } finally {
      waiting.delete(stored.id)
      signal.removeEventListener("abort", onAbort)
    }
  }

  const begin = (stored: PermissionRequest, input: WaitInput): Promise<PermissionRequest> => {
    input.signal.throwIfAborted()
    return wait(stored, input, deps.journal.commit(stored.rootID, [{ kind: "permission", value: stored }]))
  }
  /** Waits on with a request that was kept; it may have been answered before, or meanwhile. */
  const goOn = async (request: PermissionRequest, input: WaitInput): Promise<PermissionRequest> => {
    input.signal.throwIfAborted()
    const look = async () => {
      const row = await deps.store.get(request.id)
      if (row === null) throw await notWaiting(deps.store, request.id, undefined)
      await hear(row)
    }
    const answered = wait(request, input, Promise.resolve().then(look))
    kept.remove(request.id)
    // The process ended between the answer and its grants.
    if (request.status === "always") await grants.add(await grants.from(request))
    return answered
  }
  /** Nothing is asked by a request that was kept. */
  const drop = (request: PermissionRequest | null) => {
    if (request === null) return
    kept.remove(request.id)
    if (request.status === "pending") expire(request)
  }
  const hear: PermissionDesk["hear"] = async (request) => {
    const entry = waiting.get(request.id)
    if (entry === undefined || request.status === "pending") return
    waiting.delete(request.id)
    if (request.status !== "rejected") entry.resolve(request)
    else entry.reject(new PermissionRejectedError(request.message))
    if (request.status === "always") await allowGranted(request)
    if (request.status === "rejected") await rejectOthers(request)
  }

  return {
    async ask(input) {
      const { session, messageID, callID, request } = input
      const before = kept.find({ sessionID: session.id, messageID, callID }, request)
      const stored = await prepare(input).catch((error) => {
        drop(before)
        throw error
      })
      if (stored === null) return drop(before)
      const held = { ...input, isHeld: request.isHeld }
      const answered = await (before === null ? begin(stored, held) : goOn(before, held))
      // Before anything is done with it: after a crash it tells that the call may have run.
      const value = { ...answered, taken: true } as const
      await deps.journal.commit(answered.rootID, [{ kind: "permission", value }])
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

    async reply(id, given) {
      const { by } = given
      const entry = waiting.get(id)
      if (entry === undefined) {
        const request = await deps.store.get(id)
        if (request?.status !== "pending" || !(deps.isShared || kept.has(id)))
          throw await notWaiting(deps.store, id, by)
        // Another runtime waits for it and hears of the answer by its row, or its call is about to be made again.
        const closed = await answer(request, endOf(request, given))
        // Only now: an answer that comes too late grants nothing.
        if (closed.status === "always") await grants.add(await grants.from(closed))
        return closed
      }
      const closed = await settle(entry, endOf(entry.request, given))
      if (closed.status === "always") {
        await grants.add(await grants.from(closed))
        await allowGranted(closed)
      }
      if (closed.status === "rejected") await rejectOthers(closed)
      return closed
    },

    hear,
    keep: kept.keep,

    async reconsider({ rootID, preset }) {
      for (const entry of [...waiting.values()]) {
        if (entry.request.rootID !== rootID || isInquiry(entry.request.metadata)) continue
        if ((await judge(waitingInput(entry))).verdict.action !== "allow" || !waiting.has(entry.request.id)) continue
        await settle(entry, { status: "once", message: null, ...(preset?.by && { by: preset.by }) }).catch(
          unlessAnswered,
        )
      }
    },

    async expire(isLeft) {
      for (const request of await deps.store.pending()) {
        if (!waiting.has(request.id) && !kept.has(request.id) && isLeft(request)) await close(request, expired)
      }
    },

    release(call) {
      for (const request of kept.release(call)) drop(request)
    },
    close() {
      isClosed = true
    },
  }
}

/** A request that waits, as it is judged again: rules of before, presets and grants as they are now. */
function waitingInput({ request, isHeld, rules, ceilings }: Waiting): JudgeInput {
  return { place: request, request: { ...request, isHeld }, rules, ceilings }
}

function deniedBy(permission: string, { pattern, rule }: Extract<PermissionVerdict, { action: "deny" }>) {
  const reason = rule.preset && `the session is set to “${presetLabel(rule.preset)}”`
  return new PermissionDeniedError(permission, pattern, reason)
}

/** Whoever answered it meanwhile has the word. */
function unlessAnswered(error: unknown): void {
  if (!isDocketError(error) || error.code !== "permission_request_answered") throw error
}

function newRequest(
  deps: Pick<DeskDeps, "createID" | "clock">,
  { session, request, messageID, callID }: NewRequest,
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
    metadata,
    status: "pending",
    message: null,
    time: { created: deps.clock(), replied: null },
  }
}
