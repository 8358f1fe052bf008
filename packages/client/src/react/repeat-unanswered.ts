import type { Query, QueryClient } from "@tanstack/react-query"
import { httpStatus, isClientError } from "../client-error.ts"

/** Pauses before unanswered reads are repeated (ms): starts with `first` and doubles up to `longest`. */
export interface RepeatPauses {
  first: number
  longest: number
}

export const usualRepeatPauses: RepeatPauses = { first: 2_000, longest: 30_000 }

/** Repeats unanswered reads of visible data until they get an answer. */
export interface Repeats {
  /** Repeats at once: the connection may be back. */
  now(): void
  stop(): void
}

/**
 * A read can fail although the feed continues and reports nothing: the service was busy, or the network changed.
 * `page` is the browser's window, which has an event when the network is back.
 */
export function repeatUnanswered(queries: QueryClient, pauses: RepeatPauses, page: EventTarget | null): Repeats {
  const cache = queries.getQueryCache()
  let pauseMs = pauses.first
  let timer: ReturnType<typeof setTimeout> | undefined
  const now = () => {
    clearTimeout(timer)
    timer = undefined
    void queries.refetchQueries({ type: "active", predicate: isUnanswered })
  }
  const unsubscribe = cache.subscribe((event) => {
    if (event.type !== "updated") return
    // `manual` marks our own `setQueryData`.
    if (event.action.type === "success" && !event.action.manual) pauseMs = pauses.first
    const hasFailed = event.action.type === "error" && isUnanswered(event.query)
    if (!hasFailed || timer !== undefined) return
    timer = setTimeout(now, pauseMs)
    pauseMs = Math.min(pauseMs * 2, pauses.longest)
  })
  page?.addEventListener("online", now)
  return {
    now,
    stop() {
      unsubscribe()
      clearTimeout(timer)
      page?.removeEventListener("online", now)
    },
  }
}

/** Whether a read failed on its way, without an answer of the service. */
function isUnanswered({ state }: Query): boolean {
  return state.status === "error" && isClientError(state.error) && httpStatus(state.error) === null
}
