import type { QueryClient } from "@tanstack/react-query"
import { createContext, type ReactNode, startTransition, useContext, useEffect, useMemo, useState } from "react"
import type { DocketClient } from "../create-docket-client.ts"
import { createLiveTrees, type LiveTrees } from "../live-trees.ts"
import { TRPCProvider } from "./trpc-context.ts"

const LiveTreesContext = createContext<LiveTrees | null>(null)
const SentContext = createContext(false)

export interface DocketProviderProps {
  client: DocketClient
  queryClient: QueryClient
  children: ReactNode
}

/** Gives everything below it `useTRPC`, `useTree` and `useListSync`. Needs a `QueryClientProvider` above. */
export function DocketProvider({ client, queryClient, children }: DocketProviderProps): ReactNode {
  const live = useMemo(() => createLiveTrees(client), [client])
  // A transition keeps the page responsive while its trees render.
  const [sent, setSent] = useState(true)
  useEffect(() => startTransition(() => setSent(false)), [])
  return (
    <TRPCProvider queryClient={queryClient} trpcClient={client}>
      <LiveTreesContext.Provider value={live}>
        <SentContext.Provider value={sent}>{children}</SentContext.Provider>
      </LiveTreesContext.Provider>
    </TRPCProvider>
  )
}

/** True while React renders on the server and hydrates. */
export function useSent(): boolean {
  return useContext(SentContext)
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
