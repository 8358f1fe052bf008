import type { QueryClient } from "@tanstack/react-query"
import { createContext, type ReactNode, startTransition, useContext, useEffect, useMemo, useState } from "react"
import type { DocketClient } from "../create-docket-client.ts"
import { createLiveTrees, type LiveTrees } from "../live-trees.ts"
import { TRPCProvider } from "./trpc-context.ts"

const LiveTreesContext = createContext<LiveTrees | null>(null)
const HydrationContext = createContext(false)

export interface DocketProviderProps {
  client: DocketClient
  queryClient: QueryClient
  children: ReactNode
}

/** Gives everything below it `useTRPC`, `useTree` and `useListSync`. Needs a `QueryClientProvider` above. */
export function DocketProvider({ client, queryClient, children }: DocketProviderProps): ReactNode {
  const live = useMemo(() => createLiveTrees(client), [client])
  const [isHydrating, setIsHydrating] = useState(true)
  // A transition keeps the page responsive while its trees render.
  useEffect(() => startTransition(() => setIsHydrating(false)), [])
  return (
    <TRPCProvider queryClient={queryClient} trpcClient={client}>
      <LiveTreesContext.Provider value={live}>
        <HydrationContext.Provider value={isHydrating}>{children}</HydrationContext.Provider>
      </LiveTreesContext.Provider>
    </TRPCProvider>
  )
}

/** True while React renders on the server and hydrates. */
export function useIsHydrating(): boolean {
  return useContext(HydrationContext)
}

/** Components below it show these trees instead of the live ones. */
export function TreesProvider({ trees, children }: { trees: LiveTrees; children: ReactNode }): ReactNode {
  return <LiveTreesContext.Provider value={trees}>{children}</LiveTreesContext.Provider>
}

export function useLiveTrees(): LiveTrees {
  const live = useContext(LiveTreesContext)
  if (!live) throw new Error("useTree needs a DocketProvider above it")
  return live
}
