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

/** The current user and their rights. Until they are known, nothing is allowed. */
export function useMe(): Rights {
  return useContext(Context)
}

interface MeProviderProps {
  /** The user as sent with the page; null without a sign-in, and for pages that send none. */
  sent: PageOwner | null
  children: ReactNode
}

/**
 * Provides the current user, their rights, and the names of others. A single-user server is not asked again: the data
 * sent with the page stays valid. A team server is asked again when the event feed restarts, and after a refusal.
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

/** Renders its children only if the user has the capability. */
export function Can({ do: capability, children }: { do: Capability; children: ReactNode }) {
  return useMe().can(capability) ? children : null
}

/** Names of users. For a user missing in the list, who may be new, the list is loaded once more. */
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
    // The author of actions from before accounts existed, and of the server's own token.
    names.set(localPerson, "Local user")
    const askAgain = (person: string) => {
      if (askedFor.current.has(person)) return
      askedFor.current.add(person)
      // Deferred, because this runs during a render.
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

/** Reloads the page when the user has switched to another workspace: nothing on the page belongs to it. */
function useSameWorkspace(me: Me | null): void {
  const first = useRef(me?.workspace)
  useEffect(() => {
    if (me === null) return
    first.current ??= me.workspace
    if (first.current !== me.workspace) beginAnew()
  }, [me])
}
