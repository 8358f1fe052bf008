import { DocketError } from "../error/docket-error.ts"
import { type Endings, isRefusal } from "../event/endings.ts"
import type { Journal } from "../event/journal.ts"
import type { CreateId } from "../id/create-id.ts"
import { evaluateRequest, type PermissionVerdict } from "../rule/evaluate-request.ts"
import type { Caller, PermissionReply, PermissionRequest, PermissionRuleset, Session } from "../schema/index.ts"
import type { PermissionGrant, PermissionStore, WriteStore } from "../store/index.ts"
import { PermissionDeniedError, PermissionRejectedError } from "./error.ts"
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

/** Where tool calls wait for the user. Requests are rows, so every front end sees and answers them. */
export interface PermissionDesk {
  /** Resolves when allowed. @throws PermissionDeniedError, PermissionRejectedError, or the signal's reason */
  ask(input: AskInput): Promise<void>
  /** @throws permission_request_not_found, permission_request_answered */
  reply(id: string, answer: PermissionAnswer): Promise<PermissionRequest>
  /** A request as another runtime left it: an answer reaches the call that waits here. */
  hear(request: PermissionRequest): Promise<void>
  /** Closes those of the pending requests that nobody waits for any more (after a crash). */
  expire(isLeft: (request: PermissionRequest) => boolean): Promise<void>
}

export interface PermissionAnswer {
  reply: PermissionReply
  /** The person's words with a rejection. */
  message?: string | undefined
  by: Caller
}

export interface DeskDeps {
  store: PermissionStore
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

type Settled = { status: "once" | "always" | "rejected" } & Pick<PermissionRequest, "message" | "by">

const expired = { status: "expired", message: null } as const

export function createPermissionDesk(deps: DeskDeps): PermissionDesk {
  const waiting = new Map<string, Waiting>()

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
      replied: deps.clock(),
    })
    if (change?.kind !== "permission") throw await notWaiting(deps, id)
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
  const grantAlways = (request: PermissionRequest) =>
    deps.store.addGrants(request.always.map((pattern) => newGrant(deps, request, pattern)))
  /** Answers what waits in the tree and is granted by now, by this answer too: another runtime may still store its grants. */
  const allowGranted = async (request: PermissionRequest) => {
    const given = request.always.map((pattern) => newGrant(deps, request, pattern))
    const all = [...(await deps.store.grants(request.rootID)), ...given]
    for (const entry of [...waiting.values()]) {
      if (entry.request.rootID !== request.rootID || entry.request.id === request.id) continue
      if (
        evaluateRequest({ ...entry.request, rules: entry.rules, ceilings: entry.ceilings, grants: all }).action ===
        "allow"
      ) {
        await settle(entry, { ...request, status: "always", message: null })
      }
    }
  }

  const rejectOthers = async (request: PermissionRequest) => {
    const others = [...waiting.values()].filter((other) => other.request.sessionID === request.sessionID)
    for (const other of others) await settle(other, { ...request, status: "rejected" })
  }

  return {
    async ask(input) {
      const { session, request, signal, rules, ceilings } = input
      const verdict = await judge(deps.store, input)
      if (verdict.action === "allow") return
      if (verdict.action === "deny") throw new PermissionDeniedError(request.permission, verdict.pattern)
      signal.throwIfAborted()
      const stored = newRequest(deps, input)
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

    async reply(id, { reply, message, by }) {
      const entry = waiting.get(id)
      const words = message?.trim() ? message.trim() : null
      const end: Settled =
        reply === "reject" ? { status: "rejected", message: words, by } : { status: reply, message: null, by }
      if (entry === undefined) {
        const request = await deps.store.get(id)
        if (request?.status !== "pending" || !deps.isShared) throw await notWaiting(deps, id)
        // Another runtime waits for it, and hears of the answer by its row.
        const closed = await answer(request, end)
        // Only now: an answer that comes too late grants nothing.
        if (reply === "always") await grantAlways(closed)
        return closed
      }
      const closed = await settle(entry, end)
      if (reply === "always") {
        await grantAlways(closed)
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
  store: Pick<PermissionStore, "grants">,
  { session, request, rules, ceilings }: AskInput,
): Promise<PermissionVerdict> {
  const byRules = evaluateRequest({ ...request, rules, ceilings, grants: [] })
  if (byRules.action !== "ask") return byRules
  return evaluateRequest({ ...request, rules, ceilings, grants: await store.grants(session.rootID) })
}

/** Why a request cannot be answered. */
async function notWaiting(deps: DeskDeps, id: string): Promise<DocketError> {
  const stored = await deps.store.get(id)
  if (stored === null) return new DocketError("permission_request_not_found", `There is no permission request ${id}.`)
  // Another answer may be on its way to the store.
  const status = stored.status === "pending" ? "answered" : stored.status
  return new DocketError("permission_request_answered", `The permission request was already ${status}.`)
}

function newRequest(deps: DeskDeps, input: AskInput): PermissionRequest {
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
    metadata: request.metadata,
    status: "pending",
    message: null,
    time: { created: deps.clock(), replied: null },
  }
}

function newGrant(deps: DeskDeps, request: PermissionRequest, pattern: string): PermissionGrant {
  return {
    id: deps.createID("grant"),
    rootID: request.rootID,
    permission: request.permission,
    pattern,
    createdAt: deps.clock(),
  }
}
