import { useTRPC } from "@docket/client/react"
import { useInfiniteQuery, useQuery } from "@tanstack/react-query"
import { inboxLimits } from "./inbox-limits.ts"

/** What waits for a review, live: tasks that are held, tasks that have ended page by page, and todos proposed as done. */
export function useReviews() {
  const trpc = useTRPC()
  const awaiting = useQuery(trpc.review.awaiting.queryOptions())
  const proposed = useQuery(trpc.todo.proposed.queryOptions())
  const inbox = useInfiniteQuery(
    trpc.review.inbox.infiniteQueryOptions(
      { limit: inboxLimits.toReview },
      { getNextPageParam: (page) => page.cursor ?? undefined },
    ),
  )
  return {
    /** Until each has an answer, so that no list comes between others that are there. */
    isPending: awaiting.isPending || proposed.isPending || inbox.isPending,
    awaiting: awaiting.data ?? [],
    proposed: proposed.data ?? [],
    inbox,
  }
}

export type ReviewInbox = ReturnType<typeof useReviews>["inbox"]
