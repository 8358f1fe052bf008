"use client"

import type { Capability } from "@docket/client/pages"
import { useTRPC } from "@docket/client/react"
import { useQuery } from "@tanstack/react-query"

export function useMe() {
  const trpc = useTRPC()
  const { data: me } = useQuery(trpc.me.get.queryOptions())
  return {
    person: me?.person ?? "",
    name: me?.name ?? "",
    role: me?.role ?? null,
    can: (capability: Capability) => me !== undefined && me.refused[capability] === undefined,
    whyNot: (capability: Capability) => me?.refused[capability],
  }
}
