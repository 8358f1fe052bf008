import { DocketError, isDocketError } from "../../ground/error/docket-error.ts"
import type { CreateId } from "../../ground/id/create-id.ts"
import { askReasons } from "../../ground/rule/ask-reasons.ts"
import { evaluateRequest, type PermissionVerdict } from "../../ground/rule/evaluate-request.ts"
import type { Inquiry } from "../../ground/rule/is-inquiry.ts"
import { presetLabel } from "../../ground/rule/preset-words.ts"
import type { PermissionRequest, PermissionRuleset, Session } from "../../ground/schema/index.ts"
import type { PermissionStore, SessionStore, StandingGrantStore } from "../../ground/store/index.ts"
import { notWaiting } from "./answered-words.ts"
import { type ClosedFile, type ClosedFilesInput, closedFiles } from "./closed-files.ts"
import { endOf, type PermissionAnswer } from "./end-of.ts"
import { PermissionDeniedError, PermissionRejectedError } from "./error.ts"
import { createGrants } from "./grants.ts"
import { createJudge } from "./judge.ts"
import { createKeptRequests } from "./kept-requests.ts"
import { createLetThrough } from "./let-through.ts"
import { newRequest } from "./new-request.ts"
import type { AskDecision, PermissionAsk } from "./permission-ask.ts"
import { type ChangesInput, refuseChanges } from "./refuse-changes.ts"
import { createRequestRows, type RequestRowsDeps } from "./request-rows.ts"
import { createWaitingRoom, type WaitInput } from "./waiting-room.ts"

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
  hear(request: PermissionRequest): Promise<void>
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

export interface DeskDeps extends RequestRowsDeps {
  store: PermissionStore
  standing: StandingGrantStore
  sessions: Pick<SessionStore, "get">
  /** Whether calls of other runtimes on the same store may wait too. */
  isShared: boolean
  createID: CreateId
  /** What extensions say of a question that the rules do not deny. */
  decide?(ask: AskInput): Promise<AskDecision>
}

export function createPermissionDesk(deps: DeskDeps): PermissionDesk {
  const rows = createRequestRows(deps)
  const room = createWaitingRoom(rows)
  /** Asks that are looked at and do not wait yet: what is rejected meanwhile ends with them. */
  const prepared = new Set<{ sessionID: string; rejected: PermissionRequest | null }>()
  const grants = createGrants(deps)
  const judge = createJudge({ grants, sessions: deps.sessions })
  const letThrough = createLetThrough({ room, judge, grants })
  const kept = createKeptRequests()

  const rejectOthers = async (request: PermissionRequest) => {
    for (const other of prepared) if (other.sessionID === request.sessionID) other.rejected = request
    const others = room.all().filter((other) => other.request.sessionID === request.sessionID)
    for (const other of others) await room.settle(other, { ...request, status: "rejected" })
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
    return room.wait(stored, input, deps.journal.commit(stored.rootID, [{ kind: "permission", value: stored }]))
  }
  /** Waits on with a request that was kept; it may have been answered before, or meanwhile. */
  const goOn = async (request: PermissionRequest, input: WaitInput): Promise<PermissionRequest> => {
    input.signal.throwIfAborted()
    const look = async () => {
      const row = await deps.store.get(request.id)
      if (row === null) throw await notWaiting(deps.store, request.id, undefined)
      await hear(row)
    }
    const answered = room.wait(request, input, Promise.resolve().then(look))
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
  const hear: PermissionDesk["hear"] = async (request) => {
    if (request.status === "pending") return
    const entry = room.hearing(request.id)
    if (entry === undefined) return request.status === "always" ? letThrough.byNow() : undefined
    room.release(entry, request)
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
      const entry = room.get(id)
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
          if (room.hearing(id) !== undefined) await hear(closed)
        }
        return closed
      }
      const closed = await room.settle(entry, endOf(entry.request, given))
      if (closed.status === "always") {
        await remember(closed)
        await letThrough.byAnswer(closed)
      }
      if (closed.status === "rejected") await rejectOthers(closed)
      return closed
    },

    hear,
    keep: kept.keep,

    lookAgain: () => letThrough.byNow(),
    reconsider: ({ rootID, preset }) => letThrough.byNow({ rootID, by: preset?.by }),

    async expire(isLeft) {
      for (const request of await deps.store.pending()) {
        if (room.get(request.id) === undefined && !kept.has(request.id) && isLeft(request)) await rows.expired(request)
      }
    },

    release(call) {
      for (const request of kept.release(call)) drop(request)
    },
    close: room.close,
  }
}

/** Why an extension denies, which says no more. */
const byExtension = "an extension denies it"

function deniedBy(permission: string, { pattern, rule }: Extract<PermissionVerdict, { action: "deny" }>) {
  const reason = rule.preset && `the session is set to “${presetLabel(rule.preset)}”`
  return new PermissionDeniedError(permission, pattern, { reason, mode: rule.mode })
}
