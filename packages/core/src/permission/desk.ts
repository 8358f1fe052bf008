import { DocketError } from "../error/docket-error.ts"
import { type Endings, isRefusal } from "../event/endings.ts"
import type { Journal } from "../event/journal.ts"
import type { CreateId } from "../id/create-id.ts"
import { evaluateRequest } from "../rule/evaluate-request.ts"
import type { Caller, PermissionReply, PermissionRequest, PermissionRuleset, Session } from "../schema/index.ts"
import type { PermissionGrant, PermissionStore } from "../store/index.ts"
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
  /** Closes requests that nobody waits for any more (after a crash). */
  expireAll(): Promise<void>
}

export interface PermissionAnswer {
  reply: PermissionReply
  /** The person's words with a rejection. */
  message?: string | undefined
  by: Caller
}

export interface DeskDeps {
  store: PermissionStore
  journal: Journal
  endings: Endings
  createID: CreateId
  clock: () => number
}

interface Waiting {
  request: PermissionRequest
  rules: PermissionRuleset
  ceilings: PermissionRuleset[]
  signal: AbortSignal
  resolve(): void
  reject(error: Error): void
}

type Settled = { status: "once" | "always" | "rejected"; message: string | null; by: Caller }

const expired = { status: "expired", message: null } as const

export function createPermissionDesk(deps: DeskDeps): PermissionDesk {
  const waiting = new Map<string, Waiting>()

  const close = async (request: PermissionRequest, end: Pick<PermissionRequest, "status" | "message" | "by">) => {
    const closed = { ...request, ...end, time: { ...request.time, replied: deps.clock() } }
    await deps.journal.commit(request.rootID, [{ kind: "permission", value: closed }])
    return closed
  }
  /** Nobody waits for the answer any more. What cannot be stored before the process ends, `expireAll` puts right. */
  const expire = (request: PermissionRequest) => {
    deps.endings.store({ rootID: request.rootID }, () => close(request, expired)).catch(() => {})
  }
  const settle = async (entry: Waiting, end: Settled) => {
    waiting.delete(entry.request.id)
    const closed = await close(entry.request, end).catch((error) => {
      // The answer was not stored, so the request still waits for one.
      if (!entry.signal.aborted) waiting.set(entry.request.id, entry)
      throw error
    })
    if (end.status === "rejected") entry.reject(new PermissionRejectedError(end.message))
    else entry.resolve()
    return closed
  }
  const allowAlways = async (request: PermissionRequest, by: Caller) => {
    const grants = request.always.map((pattern) => newGrant(deps, request, pattern))
    await deps.store.addGrants(grants)
    const all = await deps.store.grants(request.rootID)
    for (const entry of [...waiting.values()]) {
      if (entry.request.rootID !== request.rootID || entry.request.id === request.id) continue
      if (
        evaluateRequest({ ...entry.request, rules: entry.rules, ceilings: entry.ceilings, grants: all }).action ===
        "allow"
      ) {
        await settle(entry, { status: "always", message: null, by })
      }
    }
  }

  return {
    async ask(input) {
      const { session, request, signal, rules, ceilings } = input
      const grants = await deps.store.grants(session.rootID)
      const verdict = evaluateRequest({ ...request, rules, ceilings, grants })
      if (verdict.action === "allow") return
      if (verdict.action === "deny") throw new PermissionDeniedError(request.permission, verdict.pattern)
      signal.throwIfAborted()
      const stored = newRequest(deps, input)
      const answer = Promise.withResolvers<void>()
      // It may be rejected while the request is still being stored, before anything waits for it.
      answer.promise.catch(() => {})
      const { resolve, reject } = answer
      waiting.set(stored.id, { request: stored, rules, ceilings, signal, resolve, reject })
      const onAbort = () => {
        reject(signal.reason)
        if (!waiting.delete(stored.id)) return
        expire(stored)
      }
      signal.addEventListener("abort", onAbort, { once: true })
      try {
        await deps.journal.commit(session.rootID, [{ kind: "permission", value: stored }]).catch((error) => {
          // It may be stored all the same.
          if (!isRefusal(error)) expire(stored)
          throw error
        })
        await answer.promise
      } finally {
        waiting.delete(stored.id)
        signal.removeEventListener("abort", onAbort)
      }
    },

    async reply(id, { reply, message, by }) {
      const entry = waiting.get(id)
      if (entry === undefined) throw await notWaiting(deps, id)
      const words = message?.trim() ? message.trim() : null
      if (reply === "once") return settle(entry, { status: "once", message: null, by })
      if (reply === "always") {
        const closed = await settle(entry, { status: "always", message: null, by })
        await allowAlways(closed, by)
        return closed
      }
      const closed = await settle(entry, { status: "rejected", message: words, by })
      const others = [...waiting.values()].filter((other) => other.request.sessionID === closed.sessionID)
      for (const other of others) await settle(other, { status: "rejected", message: words, by })
      return closed
    },

    async expireAll() {
      for (const request of await deps.store.pending()) {
        if (!waiting.has(request.id)) await close(request, expired)
      }
    },
  }
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
    metadata: { ...request.metadata, agent: session.agent, sessionTitle: session.title },
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
