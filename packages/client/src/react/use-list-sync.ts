import { useQueryClient } from "@tanstack/react-query"
import { useEffect } from "react"
import { useLiveTrees } from "./docket-provider.tsx"
import { syncLists } from "./sync-lists.ts"
import { useTRPC } from "./trpc-context.ts"

/**
 * Keeps lists of sessions, requests, projects, todos, links, memory and schedules, what is configured, and who the reader is
 * fresh, and asks again for whatever failed while the connection was lost. Use it once, at the top. `person` reads them:
 * `person` of `me.get`, where there are accounts.
 */
export function useListSync(person?: string): void {
  const live = useLiveTrees()
  const trpc = useTRPC()
  const queries = useQueryClient()
  useEffect(() => syncLists({ live, trpc, queries, person }), [live, trpc, queries, person])
}
