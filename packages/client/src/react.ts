export { DocketProvider, type DocketProviderProps, TreesProvider, useLiveTrees } from "./react/docket-provider.tsx"
export { TRPCProvider, useTRPC, useTRPCClient } from "./react/trpc-context.ts"
export { useListSync } from "./react/use-list-sync.ts"
export { useTranscript, useTree, useTreeState } from "./react/use-tree.ts"
