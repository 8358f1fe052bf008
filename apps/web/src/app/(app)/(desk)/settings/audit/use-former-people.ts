"use client"

import { useTRPC } from "@docket/client/react"
import { formerPeople } from "@docket/core/former-people"
import { useQuery } from "@tanstack/react-query"

/** Maximum number of entries of each kind that are searched, newest first. */
const limit = 500

/** Former members that may appear in the log. Empty until the members are loaded. */
export function useFormerPeople(members: readonly { person: string }[] | undefined) {
  const trpc = useTRPC()
  const removed = useQuery(trpc.audit.list.queryOptions({ act: "person.removed", limit }, { staleTime: 60_000 }))
  const left = useQuery(trpc.audit.list.queryOptions({ act: "person.left", limit }, { staleTime: 60_000 }))
  if (members === undefined) return []
  const entries = [...(removed.data?.items ?? []), ...(left.data?.items ?? [])]
  return formerPeople(
    entries.toSorted((a, b) => b.at - a.at),
    members,
  )
}
