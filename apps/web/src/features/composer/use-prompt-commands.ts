"use client"

import { useTRPC } from "@docket/client/react"
import type { PromptCommand } from "@docket/core/schema"
import { useQuery, useQueryClient } from "@tanstack/react-query"

/** Files of commands are read again when this has passed (ms). */
const freshMs = 3_000

/** What `/name` stands for in prompts of the project, asked for once a prompt begins with `/`. */
export function usePromptCommands(projectID: string, text: string) {
  const trpc = useTRPC()
  const queries = useQueryClient()
  const options = { ...trpc.command.list.queryOptions({ projectID }), staleTime: freshMs }
  const { data = [] } = useQuery({ ...options, enabled: text.startsWith("/") })
  return {
    commands: data,
    /** As they stand now. Rejects when the service cannot be asked. */
    now: (): Promise<readonly PromptCommand[]> => queries.fetchQuery(options),
  }
}
