import type { AppRouter } from "@docket/api/router"
import { createTRPCContext } from "@trpc/tanstack-react-query"

type Context = ReturnType<typeof createTRPCContext<AppRouter>>

const context: Context = createTRPCContext<AppRouter>()

/** Provides the client and TanStack Query to React. */
export const TRPCProvider: Context["TRPCProvider"] = context.TRPCProvider
/** Creates query and mutation options. */
export const useTRPC: Context["useTRPC"] = context.useTRPC
export const useTRPCClient: Context["useTRPCClient"] = context.useTRPCClient
