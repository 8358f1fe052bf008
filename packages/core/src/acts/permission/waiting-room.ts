import { isRefusal } from "../../ground/event/endings.ts"
import { readingCommand } from "../../ground/rule/command-reads.ts"
import type { PermissionRequest, PermissionRuleset } from "../../ground/schema/index.ts"
import type { Settled } from "./end-of.ts"
import { PermissionRejectedError } from "./error.ts"
import type { JudgeInput } from "./judge.ts"
import type { PermissionAsk } from "./permission-ask.ts"
import type { RequestRows } from "./request-rows.ts"

/** What a call that waits is judged by, should it be judged again. */
export interface WaitInput {
  signal: AbortSignal
  rules: PermissionRuleset
  ceilings: PermissionRuleset[]
  isHeld?: PermissionAsk["isHeld"]
  /** Only an answer to it lets it go: an extension wants a person to be asked. */
  forItself?: boolean
}

/** A call of this process that waits for an answer. */
export interface Waiting extends WaitInput {
  request: PermissionRequest
  /** Resolves when the request has its row: only then can it be answered. */
  stored: Promise<unknown>
  resolve(answered: PermissionRequest): void
  reject(error: Error): void
}

/** The calls of this process that wait for a person. */
export interface WaitingRoom {
  get(id: string): Waiting | undefined
  /** The same, also while an answer to it is being stored here: another runtime's may come first. */
  hearing(id: string): Waiting | undefined
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

export function createWaitingRoom(rows: Pick<RequestRows, "answer" | "expire">): WaitingRoom {
  const waiting = new Map<string, Waiting>()
  /** What is being answered here, with the answer of another runtime that was heard of meanwhile. */
  const settling = new Map<string, { entry: Waiting; heard: PermissionRequest | null }>()
  let isClosed = false
  const letGo = (entry: Waiting, answered: PermissionRequest) => {
    if (answered.status === "rejected") entry.reject(new PermissionRejectedError(answered.message, answered.by))
    else entry.resolve(answered)
  }
  return {
    get: (id) => waiting.get(id),
    hearing: (id) => waiting.get(id) ?? settling.get(id)?.entry,
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
      const state = { entry, heard: null as PermissionRequest | null }
      waiting.delete(id)
      settling.set(id, state)
      try {
        await entry.stored
        const closed = await rows.answer(entry.request, end)
        letGo(entry, closed)
        return closed
      } catch (error) {
        // This answer was not stored: another one was, or the request still waits for one.
        if (state.heard !== null) letGo(entry, state.heard)
        else if (!entry.signal.aborted) waiting.set(id, entry)
        throw error
      } finally {
        settling.delete(id)
      }
    },
    release(entry, answered) {
      const state = settling.get(entry.request.id)
      if (waiting.delete(entry.request.id)) letGo(entry, answered)
      else if (state !== undefined) state.heard = answered
    },
    close() {
      isClosed = true
    },
  }
}

/** A request that waits, as it is judged again: rules of before, presets and grants as they are now. */
export function waitingInput({ request, isHeld, rules, ceilings }: Waiting): JudgeInput {
  return { place: request, request: { ...request, command: readingCommand(request), isHeld }, rules, ceilings }
}
