"use client"

import { useTRPC } from "@docket/client/react"
import { useMutation, useQueryClient } from "@tanstack/react-query"

/** Changes a workspace setting. The page then shows the server's result. */
export function useWorkspaceUpdate() {
  const trpc = useTRPC()
  const queries = useQueryClient()
  return useMutation(
    trpc.workspace.update.mutationOptions({
      onSuccess: (workspace) => queries.setQueryData(trpc.workspace.get.queryKey(), workspace),
    }),
  )
}
