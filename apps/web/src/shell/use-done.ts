"use client"

import { type QueryFilters, useQueryClient } from "@tanstack/react-query"
import { useAnnounce } from "./announcer.tsx"
import { showProblem } from "./show-problem.ts"

/** How a change of something listed ends: it is said and what was read of it is read again; what went wrong is shown. */
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
