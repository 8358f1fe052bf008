import type { FeedItem } from "@docket/core/schema"
import { useQueryClient } from "@tanstack/react-query"
import { useEffect } from "react"
import { useLiveTrees } from "./docket-provider.tsx"
import { useTRPC } from "./trpc-context.ts"

/** Lists are fetched again at most this often while agents work. */
const pauseMs = 300

/**
 * Keeps lists of sessions, requests, projects, todos, links, memory and schedules and what is configured fresh, and asks again
 * for whatever failed while the connection was lost. Use it once, at the top.
 */
export function useListSync(): void {
  const live = useLiveTrees()
  const trpc = useTRPC()
  const queries = useQueryClient()
  useEffect(() => {
    const listsOf: Record<ListArea, { pathFilter(): object }[]> = {
      session: [trpc.session.list, trpc.permission.list, trpc.project.list],
      todo: [trpc.todo],
      share: [trpc.share],
      memory: [trpc.memory],
      schedule: [trpc.schedule],
      config: [trpc.config],
      setting: [trpc.agent, trpc.provider],
    }
    const stale = new Set<ListArea>()
    let timer: ReturnType<typeof setTimeout> | undefined
    const refresh = () => {
      timer = undefined
      for (const area of stale) for (const list of listsOf[area]) void queries.invalidateQueries(list.pathFilter())
      stale.clear()
    }
    const stop = live.onItem((item) => {
      if (item === null)
        void queries.refetchQueries({ type: "active", predicate: ({ state }) => state.status === "error" })
      for (const area of changedLists(item)) stale.add(area)
      if (stale.size > 0) timer ??= setTimeout(refresh, pauseMs)
    })
    return () => {
      stop()
      clearTimeout(timer)
    }
  }, [live, trpc, queries])
}

const areas = ["session", "todo", "share", "memory", "schedule", "config", "setting"] as const
type ListArea = (typeof areas)[number]

/** The lists that an item makes stale. After missed items (`null`, `resync`) all are. */
function changedLists(item: FeedItem | null): readonly ListArea[] {
  if (item === null || item.type === "resync") return areas
  // A turn reads the configuration again, and may have changed it; it shows on the root in every feed.
  if (item.type === "session.updated" && item.properties.info.parentID === null) return ["session", "config"]
  if (item.type === "config.updated") return ["config", "setting"]
  if (/^(session|permission|project)\./.test(item.type)) return ["session"]
  return areas.filter((area) => item.type.startsWith(`${area}.`))
}
