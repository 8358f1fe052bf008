"use client"

import { useTRPC } from "@docket/client/react"
import { useMutation, useQueryClient } from "@tanstack/react-query"

/** Sets something of the workspace; the page shows what the service made of it. */
export function useWorkspaceUpdate() {
  const trpc = useTRPC()
  const queries = useQueryClient()
  return useMutation(
    trpc.workspace.update.mutationOptions({
      onSuccess: (workspace) => queries.setQueryData(trpc.workspace.get.queryKey(), workspace),
    }),
  )
}
