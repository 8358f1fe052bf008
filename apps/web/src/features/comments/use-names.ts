"use client"

import { useTRPC } from "@docket/client/react"
import type { ThreadView } from "@docket/core"
import type { Session } from "@docket/core/schema"
import { useQuery } from "@tanstack/react-query"
import { useMemo } from "react"
import { usePeople } from "../../ui/use-people.ts"

/** Names that can be mentioned: authors and mentions in the threads, other users, and the agents of the project. */
export function useNames(session: Session | null, threads: readonly ThreadView[]): readonly string[] {
  const trpc = useTRPC()
  const agents = useQuery({
    ...trpc.agent.list.queryOptions({ projectID: session?.projectID ?? "" }),
    enabled: session !== null,
  })
  const people = usePeople()
  return useMemo(() => {
    const authors = threads.flatMap(({ comments }) => comments.map(({ by }) => by.person))
    const names = authors.filter((person) => person !== people.me).map((person) => people.nameOf(person) ?? "")
    const mentioned = threads.flatMap(({ comments }) => comments.flatMap(({ mentions }) => mentions))
    const known = (agents.data ?? []).map(({ name }) => name)
    // A mention ends at a space, so spaces become "-".
    const all = [...names.map((name) => name.trim().replace(/\s+/g, "-")), ...mentioned, ...known]
    return [...new Set(all)].filter((name) => name !== "")
  }, [threads, agents.data, people])
}
