"use client"

import type { Capability, Me, PageOwner } from "@docket/client/pages"
import { useTRPC } from "@docket/client/react"
import { localPerson } from "@docket/core/local-person"
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { createContext, type ReactNode, useContext, useEffect, useMemo, useRef } from "react"
import { type People, withoutAccounts } from "../ui/people.ts"
import { PeopleContext } from "../ui/use-people.ts"
import { type Rights, rightsOf } from "./rights.ts"
import { beginAnew } from "./use-switch-workspace.ts"

const Context = createContext<Rights>(rightsOf(null))

/** Who reads the page and what they may do. Before that is known nobody may do anything. */
export function useMe(): Rights {
  return useContext(Context)
}

interface MeProviderProps {
  /** As the page brought it along; null for who is not signed in, and for a page that brought nothing. */
  sent: PageOwner | null
  children: ReactNode
}

/**
 * Tells everything below it who reads, what they may do and what others are called. A service for one person is not asked:
 * what its page brought along holds. One for a team is asked again when the feed begins anew, and when it refused something.
 */
export function MeProvider({ sent, children }: MeProviderProps) {
  const trpc = useTRPC()
  const { data: me = null } = useQuery({
    ...trpc.me.get.queryOptions(),
    ...(sent && { initialData: sent.me }),
    enabled: sent?.me.hasTeam === true,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const rights = useMemo(() => rightsOf(me), [me])
  const people = usePeopleOf(me, sent)
  useSameWorkspace(me)
  return (
    <Context value={rights}>
      <PeopleContext value={people}>{children}</PeopleContext>
    </Context>
  )
}

/** What a person may do as somebody else, and shows nothing else; nothing when they may not. */
export function Can({ do: capability, children }: { do: Capability; children: ReactNode }) {
  return useMe().can(capability) ? children : null
}

/** Who is called what. Somebody whom the list does not have may have come since: it is asked for once more for each. */
function usePeopleOf(me: Me | null, sent: PageOwner | null): People {
  const trpc = useTRPC()
  const queries = useQueryClient()
  const { data: members } = useQuery({
    ...trpc.team.members.queryOptions(),
    ...(sent?.members && { initialData: sent.members }),
    enabled: me?.hasTeam === true,
    staleTime: 60_000,
  })
  const askedFor = useRef(new Set<string>())
  return useMemo((): People => {
    if (me === null || !me.hasTeam) return withoutAccounts(me?.person ?? null)
    const names = new Map(members?.map(({ person, name }) => [person, name]))
    // Of a time without accounts, and of who runs the service and shows its own token.
    names.set(localPerson, "Local user")
    const askAgain = (person: string) => {
      if (askedFor.current.has(person)) return
      askedFor.current.add(person)
      // Not while the page is drawn.
      queueMicrotask(() => void queries.invalidateQueries(trpc.team.members.pathFilter()))
    }
    return {
      me: me.person,
      nameOf(person) {
        if (person === me.person) return me.name
        const name = names.get(person)
        if (name !== undefined || members === undefined) return name
        if (typeof window !== "undefined") askAgain(person)
        return null
      },
    }
  }, [me, members, queries, trpc])
}

/** Whoever is in another workspace from now on begins there anew: nothing on the page is of it. */
function useSameWorkspace(me: Me | null): void {
  const first = useRef(me?.workspace)
  useEffect(() => {
    if (me === null) return
    first.current ??= me.workspace
    if (first.current !== me.workspace) beginAnew()
  }, [me])
}
