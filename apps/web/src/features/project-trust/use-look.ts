"use client"

import { docketCode } from "@docket/client"
import { useTRPC } from "@docket/client/react"
import type { ProjectTrust } from "@docket/core"
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useCallback, useEffect, useState } from "react"

/**
 * A project's configuration at the time the user opened it. It does not change while they read, so they trust exactly
 * what they saw. If it has changed when they confirm, nothing is trusted and the new configuration is shown.
 */
export function useLook(projectID: string) {
  const trpc = useTRPC()
  const queries = useQueryClient()
  const [shownTrust, setShownTrust] = useState<ProjectTrust | null>(null)
  const [changed, setChanged] = useState(false)
  const [failure, setFailure] = useState<unknown>(null)
  const send = useMutation(trpc.config.trust.mutationOptions())

  const load = useCallback(async () => {
    const report = trpc.config.get.queryOptions({ projectID })
    setShownTrust((await queries.fetchQuery({ ...report, staleTime: 0 })).trust)
  }, [trpc, queries, projectID])
  useEffect(() => void load().catch(setFailure), [load])

  const trust = async (): Promise<"trusted" | "changed"> => {
    try {
      await send.mutateAsync({ projectID, hash: shownTrust?.hash ?? "" })
    } catch (error) {
      if (docketCode(error) !== "config_changed") throw error
      send.reset()
      await load()
      setChanged(true)
      return "changed"
    }
    const areas = [trpc.config, trpc.agent, trpc.provider]
    await Promise.all(areas.map((area) => queries.invalidateQueries(area.pathFilter())))
    return "trusted"
  }
  return {
    /** What the project brings, as it was when it was loaded; null until then. */
    shownTrust,
    /** The configuration changed before the user confirmed: `shownTrust` is the new one. */
    changed,
    failure: failure ?? send.error,
    pending: send.isPending,
    trust,
    retry: () => load().then(() => setFailure(null), setFailure),
  }
}
