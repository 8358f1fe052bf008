"use client"

import { useTRPC } from "@docket/client/react"
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useAnnounce } from "../../../../../shell/announcer.tsx"
import { useDone } from "../../../../../shell/use-done.ts"

export function useNodeActions() {
  const trpc = useTRPC()
  const queries = useQueryClient()
  const announce = useAnnounce()
  const done = useDone(trpc.nodes.pathFilter())
  // The caller shows the error.
  const drain = useMutation(
    trpc.nodes.drain.mutationOptions({
      onSuccess: () => announce("The node takes no more sessions"),
      onSettled: () => queries.invalidateQueries(trpc.nodes.pathFilter()),
    }),
  )
  const resume = useMutation(trpc.nodes.resume.mutationOptions(done("The node takes sessions again")))
  return { drain, resume }
}
