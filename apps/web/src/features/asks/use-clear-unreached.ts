import { httpStatus, isClientError } from "@docket/client"
import { useTRPCClient } from "@docket/client/react"
import { useQuery } from "@tanstack/react-query"
import { useEffect, useRef, useState } from "react"

/** Minimum time for which a failed answer stays visible (ms): long enough to read it. */
const readMs = 4_000

interface Answering {
  error: unknown
  reset(): void
}

/**
 * Clears the errors of answers that did not reach Docket, once it can be reached again. The event feed is no reliable
 * sign: it may survive a short loss, and an answer may fail after the feed is back.
 */
export function useClearUnreached(rootID: string, ...answers: Answering[]): void {
  const client = useTRPCClient()
  const latest = useRef(answers)
  latest.current = answers
  const unreached = answers.some(({ error }) => isUnreached(error))
  /** Since when the server is being checked; null during the minimum time, and without an error. */
  const [checkingSince, setCheckingSince] = useState<number | null>(null)
  useEffect(() => {
    if (!unreached) return
    const timer = setTimeout(() => setCheckingSince(performance.now()), readMs)
    return () => {
      clearTimeout(timer)
      setCheckingSince(null)
    }
  }, [unreached])
  // The client repeats the read until the server answers (`repeatUnanswered`).
  const check = useQuery({
    queryKey: ["reached", rootID, checkingSince],
    queryFn: ({ signal }) => client.session.get.query({ sessionID: rootID }, { signal }).then(() => true),
    enabled: checkingSince !== null,
    retry: false,
    gcTime: 0,
  })
  // An error from the server also proves that it was reached.
  const hasAnswered = check.isSuccess || (check.isError && !isUnreached(check.error))
  const reached = checkingSince !== null && hasAnswered
  useEffect(() => {
    if (!reached) return
    for (const { error, reset } of latest.current) if (isUnreached(error)) reset()
  }, [reached])
}

function isUnreached(error: unknown): boolean {
  return isClientError(error) && httpStatus(error) === null
}
