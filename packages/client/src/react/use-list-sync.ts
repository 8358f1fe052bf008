import { useQueryClient } from "@tanstack/react-query"
import { useEffect } from "react"
import { useLiveTrees } from "./docket-provider.tsx"
import { syncLists } from "./sync-lists.ts"
import { useTRPC } from "./trpc-context.ts"

/**
 * Keeps all cached lists up to date (see `syncLists`), and repeats reads that failed while the connection was lost. Use
 * it once, at the top. `person` is `person` of `me.get`, where there are accounts.
 */
export function useListSync(person?: string): void {
  const live = useLiveTrees()
  const trpc = useTRPC()
  const queries = useQueryClient()
  useEffect(() => syncLists({ live, trpc, queries, person }), [live, trpc, queries, person])
}
