"use client"

import { useTRPC } from "@docket/client/react"
import { useMutation, useQueryClient } from "@tanstack/react-query"

/** Changes a session's title or archived state; `refresh` updates the lists. */
export function useSessionUpdate() {
  const trpc = useTRPC()
  const queries = useQueryClient()
  const update = useMutation(trpc.session.update.mutationOptions())
  return { update, refresh: () => void queries.invalidateQueries(trpc.session.list.pathFilter()) }
}
