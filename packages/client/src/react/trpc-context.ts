import type { AppRouter } from "@docket/api"
import { createTRPCContext } from "@trpc/tanstack-react-query"

/** Puts the client and TanStack Query into React; `useTRPC()` makes query and mutation options. */
export const { TRPCProvider, useTRPC, useTRPCClient } = createTRPCContext<AppRouter>()
