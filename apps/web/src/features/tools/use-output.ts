import { useTRPC } from "@docket/client/react"
import { useInfiniteQuery } from "@tanstack/react-query"
import { useEffect, useMemo } from "react"
import { type AnsiLine, ansiLines, plainStyle, shortLines, withoutColours } from "./ansi-pieces.ts"

/** Characters loaded automatically: enough for most outputs, and as many as a browser searches without a delay. */
const loadedAtOnce = 8_000_000

/** The full output that was too long to be stored with its call, loaded page by page. */
export function useOutput(partID: string) {
  const trpc = useTRPC()
  const query = useInfiniteQuery(
    trpc.session.output.infiniteQueryOptions(
      { partID },
      { getNextPageParam: (page) => page.next, initialCursor: 0, staleTime: Number.POSITIVE_INFINITY, gcTime: 0 },
    ),
  )
  const pages = query.data?.pages
  const loaded = pages?.reduce((sum, page) => sum + page.text.length, 0) ?? 0
  const { hasNextPage, isFetching, isError, fetchNextPage } = query
  useEffect(() => {
    const isReady = hasNextPage && !isFetching && !isError
    if (isReady && loaded < loadedAtOnce) void fetchNextPage()
  }, [hasNextPage, isFetching, isError, loaded, fetchNextPage])
  const wholeLines = useMemo(() => linesOf(pages ?? []), [pages])
  const lines = useMemo(() => shortLines(wholeLines), [wholeLines])
  const texts = useMemo(() => lines.map(({ text }) => withoutColours(text)), [lines])
  return {
    count: wholeLines.length,
    lines,
    texts,
    whole: () => wholeLines.map(({ text }) => withoutColours(text)).join("\n"),
    size: pages?.[0]?.size ?? null,
    error: query.error,
    retry: () => void fetchNextPage(),
    loading: isFetching,
    /** Loads further pages after the automatic ones; null when everything is loaded. */
    more: hasNextPage && loaded >= loadedAtOnce ? () => void fetchNextPage() : null,
  }
}

function linesOf(pages: readonly { text: string }[]): AnsiLine[] {
  const lines: AnsiLine[] = []
  let style = plainStyle
  for (const page of pages) {
    const read = ansiLines(page.text, style)
    style = read.style
    for (const line of read.lines) lines.push(line)
  }
  return lines
}
