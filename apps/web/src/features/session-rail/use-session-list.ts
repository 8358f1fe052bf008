"use client"

import { useTRPC } from "@docket/client/react"
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query"

/** Rows of one page of the list. */
const pageSize = 40

/** Root sessions, newest activity first, page by page. */
export function useSessionList(options: { search: string; archived: boolean }) {
  const trpc = useTRPC()
  const input = { limit: pageSize, archived: options.archived, ...(options.search ? { search: options.search } : {}) }
  return useInfiniteQuery({
    ...trpc.session.list.infiniteQueryOptions(input, { getNextPageParam: (page) => page.cursor ?? undefined }),
    placeholderData: keepPreviousData,
  })
}
