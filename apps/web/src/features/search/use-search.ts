"use client"

import { useTRPC } from "@docket/client/react"
import { keepPreviousData, useQuery } from "@tanstack/react-query"

/** The first hits of a search; no request is sent for an empty text. */
export function useSearch(text: string) {
  const trpc = useTRPC()
  return useQuery({
    ...trpc.search.find.queryOptions({ text, isTyping: true, utcOffset: utcOffset() }),
    enabled: text !== "",
    placeholderData: keepPreviousData,
  })
}

/** Offset of the local time zone from UTC (minutes). */
export function utcOffset(): number {
  return -new Date().getTimezoneOffset()
}
