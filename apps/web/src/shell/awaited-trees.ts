"use client"

import { useTRPC } from "@docket/client/react"
import type { AwaitedHost } from "@docket/core/schema"
import { useQuery } from "@tanstack/react-query"
import { useMemo } from "react"

/** How often a page looks which sessions have work, while a host is away (ms). */
const lookMs = 3_000

const none: ReadonlyMap<string, AwaitedHost> = new Map()

/** The sessions at work, while a host is away: otherwise nothing waits for one. `lookMs`: asked again so often. */
function useWorking(lookMs: number | false) {
  const trpc = useTRPC()
  const { data: projects = [] } = useQuery(trpc.project.awaited.queryOptions())
  const isAway = projects.length > 0
  const { data } = useQuery({
    ...trpc.session.working.queryOptions({}),
    enabled: isAway,
    refetchInterval: lookMs,
  })
  return isAway ? data : undefined
}

/** Keeps what `useAwaitedTrees` says up to date. Once in a page: each has a timer of its own. */
export function FollowAwaited(): null {
  useWorking(lookMs)
  return null
}

/** The root sessions whose work waits for a host, by id. */
export function useAwaitedTrees(): ReadonlyMap<string, AwaitedHost> {
  const working = useWorking(false)
  return useMemo(() => {
    if (working === undefined) return none
    return new Map(working.flatMap(({ rootID, waitsFor }) => (waitsFor === undefined ? [] : [[rootID, waitsFor]])))
  }, [working])
}

/** The host that the work of a tree waits for; null when it waits for none. */
export function useAwaitedHost(rootID: string | undefined): AwaitedHost | null {
  return useAwaitedTrees().get(rootID ?? "") ?? null
}
