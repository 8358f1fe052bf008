import { DocketError } from "../error/docket-error.ts"
import { type Endings, isRefusal } from "../event/endings.ts"
import type { Journal } from "../event/journal.ts"
import type { CreateId } from "../id/create-id.ts"
import { askReasons } from "../rule/ask-reasons.ts"
import { evaluateRequest, type PermissionVerdict } from "../rule/evaluate-request.ts"
import type { Caller, PermissionReply, PermissionRequest, PermissionRuleset, Session } from "../schema/index.ts"
import type { PermissionStore, SessionStore, WriteStore } from "../store/index.ts"
import { PermissionDeniedError, PermissionRejectedError } from "./error.ts"
import { createGrants, type Grants } from "./grants.ts"
import type { PermissionAsk } from "./permission-ask.ts"
import type { ReplyOptions } from "./permission-service.ts"
import { rememberedBy } from "./remembered.ts"

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

/** Where tool calls wait for the user. Requests are rows, so every front end sees and answers them. */
export interface PermissionDesk {
  /** Resolves when allowed. @throws PermissionDeniedError, PermissionRejectedError, or the signal's reason */
  ask(input: AskInput): Promise<void>
  /** @throws permission_request_not_found, permission_request_answered, invalid_input */
  reply(id: string, answer: PermissionAnswer): Promise<PermissionRequest>
  /** A request as another runtime left it: an answer reaches the call that waits here. */
  hear(request: PermissionRequest): Promise<void>
  /** Closes those of the pending requests that nobody waits for any more (after a crash). */
  expire(isLeft: (request: PermissionRequest) => boolean): Promise<void>
}

export interface PermissionAnswer extends ReplyOptions {
  reply: PermissionReply
  by: Caller
}

export interface DeskDeps {
  store: PermissionStore
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
  rules: PermissionRuleset
  ceilings: PermissionRuleset[]
  signal: AbortSignal
  /** Resolves when the request has its row: only then can it be answered. */
  stored: Promise<unknown>
  resolve(): void
  reject(error: Error): void
}

type Settled = { status: "once" | "always" | "rejected" } & Pick<PermissionRequest, "message" | "by" | "remembered">

const expired = { status: "expired", message: null } as const

export function createPermissionDesk(deps: DeskDeps): PermissionDesk {
  const waiting = new Map<string, Waiting>()
  /** Asks that are looked at and do not wait yet: what is rejected meanwhile ends with them. */
  const prepared = new Set<{ sessionID: string; rejected: PermissionRequest | null }>()
  const grants = createGrants(deps)

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
      replied: deps.clock(),
    })
    if (change?.kind !== "permission") throw await notWaiting(deps, id, end.by)
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
    else entry.resolve()
    return closed
  }
  /** Answers what waits in the tree and is granted by now, by this answer too: another runtime may still store its grants. */
  const allowGranted = async (request: PermissionRequest) => {
    const given = grants.from(request)
    for (const entry of [...waiting.values()]) {
      const { request: other, rules, ceilings } = entry
      if (other.rootID !== request.rootID || other.id === request.id) continue
      const all = await grants.of(other, given)
      if (evaluateRequest({ ...other, rules, ceilings, grants: all }).action !== "allow") continue
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
    const { session, request, rules, ceilings } = input
    const asking = { sessionID: session.id, rejected: null as PermissionRequest | null }
    prepared.add(asking)
    try {
      const verdict = await judge(grants, input)
      if (verdict.action === "allow") return null
      if (verdict.action === "deny") throw new PermissionDeniedError(request.permission, verdict.pattern)
      const { metadata } = request
      const about = typeof metadata === "function" ? await metadata() : metadata
      if (asking.rejected !== null) throw new PermissionRejectedError(asking.rejected.message)
      const reasons = askReasons(request.permission, verdict.patterns, [rules, ...ceilings])
      return { ...newRequest(deps, input), metadata: about, reasons }
    } finally {
      prepared.delete(asking)
    }
  }

  return {
    async ask(input) {
      const { session, signal, rules, ceilings } = input
      const stored = await prepare(input)
      if (stored === null) return
      signal.throwIfAborted()
      const allowed = Promise.withResolvers<void>()
      // It may be rejected while the request is still being stored, before anything waits for it.
      allowed.promise.catch(() => {})
      const { resolve, reject } = allowed
      const commit = deps.journal.commit(session.rootID, [{ kind: "permission", value: stored }])
      waiting.set(stored.id, { request: stored, rules, ceilings, signal, stored: commit, resolve, reject })
      const onAbort = () => {
        reject(signal.reason)
        if (!waiting.delete(stored.id)) return
        expire(stored)
      }
      signal.addEventListener("abort", onAbort, { once: true })
      try {
        await commit.catch((error) => {
          // It may be stored all the same.
          if (!isRefusal(error)) expire(stored)
          throw error
        })
        await allowed.promise
      } finally {
        waiting.delete(stored.id)
        signal.removeEventListener("abort", onAbort)
      }
    },

    async reply(id, { reply, message, remember, by }) {
      const entry = waiting.get(id)
      const words = message?.trim() ? message.trim() : null
      const endOf = (request: PermissionRequest): Settled => {
        if (reply === "reject") return { status: "rejected", message: words, by }
        if (reply === "once") return { status: "once", message: null, by }
        return { status: "always", message: null, by, remembered: rememberedBy(request, remember) }
      }
      if (entry === undefined) {
        const request = await deps.store.get(id)
        if (request?.status !== "pending" || !deps.isShared) throw await notWaiting(deps, id, by)
        // Another runtime waits for it, and hears of the answer by its row.
        const closed = await answer(request, endOf(request))
        // Only now: an answer that comes too late grants nothing.
        if (reply === "always") await grants.add(grants.from(closed))
        return closed
      }
      const closed = await settle(entry, endOf(entry.request))
      if (reply === "always") {
        await grants.add(grants.from(closed))
        await allowGranted(closed)
      }
      if (reply === "reject") await rejectOthers(closed)
      return closed
    },

    async hear(request) {
      const entry = waiting.get(request.id)
      if (entry === undefined || request.status === "pending") return
      waiting.delete(request.id)
      if (request.status !== "rejected") entry.resolve()
      else entry.reject(new PermissionRejectedError(request.message))
      if (request.status === "always") await allowGranted(request)
      if (request.status === "rejected") await rejectOthers(request)
    },

    async expire(isLeft) {
      for (const request of await deps.store.pending()) {
        if (!waiting.has(request.id) && isLeft(request)) await close(request, expired)
      }
    },
  }
}

/** What rules and grants say. Grants only answer what the rules leave open, so they are read for nothing else. */
async function judge(
  grants: Pick<Grants, "of">,
  { session, request, rules, ceilings }: AskInput,
): Promise<PermissionVerdict> {
  const byRules = evaluateRequest({ ...request, rules, ceilings, grants: [] })
  if (byRules.action !== "ask") return byRules
  return evaluateRequest({
    ...request,
    rules,
    ceilings,
    grants: await grants.of({ rootID: session.rootID, sessionID: session.id }),
  })
}

/** Why a request cannot be answered. */
async function notWaiting(deps: DeskDeps, id: string, late: Caller | undefined): Promise<DocketError> {
  const stored = await deps.store.get(id)
  if (stored === null) return new DocketError("permission_request_not_found", `There is no permission request ${id}.`)
  return new DocketError("permission_request_answered", answeredWords(stored, late))
}

/** What became of a request, for who comes too late. `late` is who does. */
function answeredWords({ status, by }: PermissionRequest, late: Caller | undefined): string {
  const who = by === undefined ? "" : by.person === late?.person ? " by you elsewhere" : ` by ${by.person}`
  switch (status) {
    case "once":
      return `This was allowed${who} before your answer came. Your answer changed nothing.`
    case "always":
      return `This was allowed for good${who} before your answer came. Your answer changed nothing.`
    case "rejected":
      return `This was rejected${who} before your answer came. Your answer changed nothing.`
    case "expired":
      return "Nobody waits for this answer any more: the work that asked has ended."
    // Another answer may be on its way to the store.
    case "pending":
      return "This was answered before your answer came. Your answer changed nothing."
    default:
      return status satisfies never
  }
}

function newRequest(deps: DeskDeps, input: AskInput): Omit<PermissionRequest, "metadata"> {
  const { session, request } = input
  return {
    id: deps.createID("permission"),
    rootID: session.rootID,
    sessionID: session.id,
    messageID: input.messageID,
    callID: input.callID,
    permission: request.permission,
    patterns: request.patterns,
    always: request.always,
    status: "pending",
    message: null,
    time: { created: deps.clock(), replied: null },
  }
}
