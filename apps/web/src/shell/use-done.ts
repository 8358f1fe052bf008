"use client"

import { type QueryFilters, useQueryClient } from "@tanstack/react-query"
import { useAnnounce } from "./announcer.tsx"
import { showProblem } from "./show-problem.ts"

/**
 * Callbacks for a mutation of listed data: on success it is announced and the queries are refreshed; on failure the
 * error is shown.
 */
export function useDone(read: QueryFilters) {
  const queries = useQueryClient()
  const announce = useAnnounce()
  return (words: string) => ({
    onSuccess: () => {
      announce(words)
      return queries.invalidateQueries(read)
    },
    onError: showProblem,
  })
}
