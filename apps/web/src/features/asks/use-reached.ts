import { httpStatus, isClientError } from "@docket/client"
import { useTRPCClient } from "@docket/client/react"
import { useQuery } from "@tanstack/react-query"
import { useEffect, useRef, useState } from "react"

/** That an answer did not arrive stays for at least as long as it takes to read it (ms). */
const readMs = 4_000

interface Answering {
  error: unknown
  reset(): void
}

/**
 * Takes back that Docket could not be reached once it can. The feed does not always tell: a short cut leaves it as it was,
 * and an answer may be given up after the feed is back.
 */
export function useReached(rootID: string, ...answers: Answering[]): void {
  const client = useTRPCClient()
  const latest = useRef(answers)
  latest.current = answers
  const unreached = answers.some(({ error }) => isUnreached(error))
  /** Since when it is asked for; null while the words stand for their time, or there are none. */
  const [asking, setAsking] = useState<number | null>(null)
  useEffect(() => {
    if (!unreached) return
    const timer = setTimeout(() => setAsking(performance.now()), readMs)
    return () => {
      clearTimeout(timer)
      setAsking(null)
    }
  }, [unreached])
  // Reads that get no answer are asked again until they do.
  const asked = useQuery({
    queryKey: ["reached", rootID, asking],
    queryFn: ({ signal }) => client.session.get.query({ sessionID: rootID }, { signal }).then(() => true),
    enabled: asking !== null,
    retry: false,
    gcTime: 0,
  })
  // A refusal is an answer, too.
  const reached = asking !== null && (asked.isSuccess || (asked.isError && !isUnreached(asked.error)))
  useEffect(() => {
    if (!reached) return
    for (const { error, reset } of latest.current) if (isUnreached(error)) reset()
  }, [reached])
}

function isUnreached(error: unknown): boolean {
  return isClientError(error) && httpStatus(error) === null
}
