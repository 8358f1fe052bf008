"use client"

import { useTRPC } from "@docket/client/react"
import { keepPreviousData, useQuery } from "@tanstack/react-query"

/** What a search for these words finds; nothing is asked while they are empty. */
export function useSearch(text: string) {
  const trpc = useTRPC()
  return useQuery({
    ...trpc.session.search.queryOptions({ text }),
    enabled: text !== "",
    placeholderData: keepPreviousData,
  })
}
