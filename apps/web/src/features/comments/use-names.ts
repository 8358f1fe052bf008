"use client"

import { useTRPC } from "@docket/client/react"
import type { ThreadView } from "@docket/core"
import { localPerson } from "@docket/core/local-person"
import type { Session } from "@docket/core/schema"
import { useQuery } from "@tanstack/react-query"
import { useMemo } from "react"

/** Who can be mentioned: people who spoke or were spoken to, and the agents of the project. */
export function useNames(session: Session | null, threads: readonly ThreadView[]): readonly string[] {
  const trpc = useTRPC()
  const agents = useQuery({
    ...trpc.agent.list.queryOptions({ projectID: session?.projectID ?? "" }),
    enabled: session !== null,
  })
  return useMemo(() => {
    const people = threads.flatMap(({ comments }) => comments.flatMap(({ by, mentions }) => [by.person, ...mentions]))
    const known = (agents.data ?? []).map(({ name }) => name)
    return [...new Set([...people.filter((person) => person !== localPerson), ...known])]
  }, [threads, agents.data])
}
