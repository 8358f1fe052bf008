"use client"

import { useTRPC } from "@docket/client/react"
import { useQuery } from "@tanstack/react-query"

/** Whether the user trusts the project-provided configuration. Fetched again whenever they return to the page. */
export function useProjectTrust(projectID: string) {
  const trpc = useTRPC()
  return useQuery({
    ...trpc.config.get.queryOptions({ projectID }),
    select: ({ trust }) => trust,
    staleTime: 0,
    refetchOnWindowFocus: "always",
  })
}
