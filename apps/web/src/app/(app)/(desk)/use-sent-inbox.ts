"use client"

import { useTRPC } from "@docket/client/react"
import { useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { inboxLimits } from "./inbox-limits.ts"
import type { FirstInbox } from "./read-first-inbox.ts"

/**
 * Fills the inbox's query cache with the data that was sent with the page, dated by the page load, unless data is
 * cached already.
 */
export function useSentInbox(first: FirstInbox | null): void {
  const trpc = useTRPC()
  const queries = useQueryClient()
  useState(() => {
    if (first === null) return
    const updatedAt = performance.timeOrigin
    const keep = <T>(queryKey: readonly unknown[], value: T) =>
      queries.getQueryData(queryKey) === undefined && queries.setQueryData<T>(queryKey, () => value, { updatedAt })
    keep(trpc.session.list.queryKey({ limit: inboxLimits.sessions }), first.sessions)
    keep(trpc.project.list.queryKey(), first.projects)
    keep(trpc.review.awaiting.queryKey(), first.awaiting)
    keep(trpc.todo.proposed.queryKey(), first.proposed)
    const toReview = trpc.review.inbox.infiniteQueryKey({ limit: inboxLimits.toReview })
    keep(toReview, { pages: [first.toReview], pageParams: [null] })
  })
}
