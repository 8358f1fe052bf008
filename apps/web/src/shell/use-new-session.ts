"use client"

import { useTRPC } from "@docket/client/react"
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useRouter } from "next/navigation"
import { useCallback } from "react"
import { rememberProject } from "./last-project.ts"
import { showProblem } from "./show-problem.ts"

/** Creates a session in a project and goes there. */
export function useNewSession(): (projectID: string) => Promise<void> {
  const trpc = useTRPC()
  const queries = useQueryClient()
  const router = useRouter()
  const { mutateAsync } = useMutation(trpc.session.create.mutationOptions())
  return useCallback(
    async (projectID) => {
      try {
        const session = await mutateAsync({ projectID })
        rememberProject(projectID)
        void queries.invalidateQueries(trpc.session.list.pathFilter())
        router.push(`/s/${session.id}`)
      } catch (error) {
        void showProblem(error)
      }
    },
    [mutateAsync, queries, router, trpc],
  )
}
