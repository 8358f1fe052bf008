import type { AppRouter } from "@docket/api/router"
import type { Operation, TRPCLink } from "@trpc/client"
import { observable } from "@trpc/server/observable"
import { httpStatus } from "./client-error.ts"

/** How long an unanswered call keeps its key (ms). A later call with the same input is a new request. */
const keptMs = 60_000
const keyBytes = 16

interface KeyOptions {
  /** Epoch ms. */
  clock(): number
}

/**
 * Gives every mutation an idempotency key, and an unanswered call the same key when it is repeated, so that nothing is
 * created twice. The key is in the operation's context: see `keyHeader`.
 */
export function keyRequests({ clock }: KeyOptions = { clock: () => Date.now() }): TRPCLink<AppRouter> {
  /** Keyed by procedure and input. */
  const unanswered = new Map<string, { key: string; until: number }>()
  return () =>
    ({ op, next }) => {
      if (op.type !== "mutation") return next(op)
      const call = JSON.stringify([op.path, op.input])
      for (const [other, { until }] of unanswered) if (until <= clock()) unanswered.delete(other)
      const key = unanswered.get(call)?.key ?? newKey()
      return observable((observer) =>
        next({ ...op, context: { ...op.context, idempotencyKey: key } }).subscribe({
          next(result) {
            unanswered.delete(call)
            observer.next(result)
          },
          error(error) {
            if (httpStatus(error) === null) unanswered.set(call, { key, until: clock() + keptMs })
            else unanswered.delete(call)
            observer.error(error)
          },
          complete: () => observer.complete(),
        }),
      )
    }
}

export function keyHeader({ context }: Operation): Record<string, string> {
  const { idempotencyKey } = context
  return typeof idempotencyKey === "string" ? { "idempotency-key": idempotencyKey } : {}
}

function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(keyBytes)), (byte) =>
    byte.toString(16).padStart(2, "0"),
  ).join("")
}
