"use client"

import { useTRPC } from "@docket/client/react"
import { keepPreviousData, useQuery } from "@tanstack/react-query"

/** What a search for these words finds first; nothing is asked while they are empty. */
export function useSearch(text: string) {
  const trpc = useTRPC()
  return useQuery({
    ...trpc.search.find.queryOptions({ text, isTyping: true, utcOffset: utcOffset() }),
    enabled: text !== "",
    placeholderData: keepPreviousData,
  })
}

/** How far the clock here is ahead of UTC (minutes). */
export function utcOffset(): number {
  return -new Date().getTimezoneOffset()
}
