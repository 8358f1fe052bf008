"use client"

import { useTRPC } from "@docket/client/react"
import { useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import type { FirstDeskView } from "./read-first-desk.ts"

/**
 * Fills the desk's query cache with the data that was sent with the page, dated by the page load, unless data is cached
 * already.
 */
export function useSentDesk(rootID: string, first: FirstDeskView | null): void {
  const trpc = useTRPC()
  const queries = useQueryClient()
  useState(() => {
    if (first === null) return
    const updatedAt = performance.timeOrigin
    const addToCache = <T>(queryKey: readonly unknown[], value: T) =>
      queries.getQueryData(queryKey) === undefined && queries.setQueryData<T>(queryKey, () => value, { updatedAt })
    addToCache(trpc.review.overview.queryKey({ sessionID: rootID }), first.overview)
    if (first.record !== null) addToCache(trpc.task.get.queryKey({ taskID: first.record.id }), first.record)
  })
}
