import { useTRPC } from "@docket/client/react"
import { useInfiniteQuery, useQuery } from "@tanstack/react-query"
import { inboxLimits } from "./inbox-limits.ts"

/**
 * Everything that waits for a review, live: tasks that go on only after approval (`awaiting`), finished tasks page by
 * page (`inbox`), and todos proposed as done.
 */
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
    /** True until all queries have answered, so that no list appears later between the others. */
    isPending: awaiting.isPending || proposed.isPending || inbox.isPending,
    awaiting: awaiting.data ?? [],
    proposed: proposed.data ?? [],
    inbox,
  }
}

export type ReviewInbox = ReturnType<typeof useReviews>["inbox"]
