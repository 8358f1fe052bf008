import type { FeedItem } from "@docket/core/schema"
import { useQueryClient } from "@tanstack/react-query"
import { useEffect } from "react"
import { useLiveTrees } from "./docket-provider.tsx"
import { useTRPC } from "./trpc-context.ts"

/** Lists are fetched again at most this often while agents work. */
const pauseMs = 300

/**
 * Keeps the queries `session.list`, `permission.list` and `project.list` fresh, and asks again for whatever failed
 * while the connection was lost. Use it once, at the top.
 */
export function useListSync(): void {
  const live = useLiveTrees()
  const trpc = useTRPC()
  const queries = useQueryClient()
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const refresh = () => {
      timer = undefined
      for (const area of [trpc.session.list, trpc.permission.list, trpc.project.list]) {
        void queries.invalidateQueries(area.pathFilter())
      }
    }
    const stop = live.onItem((item) => {
      if (item === null)
        void queries.refetchQueries({ type: "active", predicate: ({ state }) => state.status === "error" })
      if (changesLists(item)) timer ??= setTimeout(refresh, pauseMs)
    })
    return () => {
      stop()
      clearTimeout(timer)
    }
  }, [live, trpc, queries])
}

function changesLists(item: FeedItem | null): boolean {
  return item === null || /^(session|permission|turn|project)\.|^resync$/.test(item.type)
}
