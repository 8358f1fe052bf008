import { useQueryClient } from "@tanstack/react-query"
import { useEffect } from "react"
import { useLiveTrees } from "./docket-provider.tsx"
import { syncLists } from "./sync-lists.ts"
import { useTRPC } from "./trpc-context.ts"

/**
 * Keeps lists of sessions, requests, projects, todos, links, memory and schedules and what is configured fresh, and asks again
 * for whatever failed while the connection was lost. Use it once, at the top.
 */
export function useListSync(): void {
  const live = useLiveTrees()
  const trpc = useTRPC()
  const queries = useQueryClient()
  useEffect(() => syncLists({ live, trpc, queries }), [live, trpc, queries])
}
