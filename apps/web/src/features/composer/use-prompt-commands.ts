"use client"

import { useTRPC } from "@docket/client/react"
import type { PromptCommand } from "@docket/core/schema"
import { useQuery, useQueryClient } from "@tanstack/react-query"

/** How long the command list is fresh (ms). */
const freshMs = 3_000

/** The prompt commands of the project. They are loaded once a prompt begins with `/`. */
export function usePromptCommands(projectID: string, text: string) {
  const trpc = useTRPC()
  const queries = useQueryClient()
  const options = { ...trpc.command.list.queryOptions({ projectID }), staleTime: freshMs }
  const { data = [] } = useQuery({ ...options, enabled: text.startsWith("/") })
  return {
    commands: data,
    /** Loads the current commands. Rejects when the server cannot be reached. */
    loadNow: (): Promise<readonly PromptCommand[]> => queries.fetchQuery(options),
  }
}
