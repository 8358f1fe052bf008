"use client"

import type { Capability } from "@docket/client/pages"
import { createContext, type ReactNode, useContext, useEffect, useRef } from "react"
import type { Rights } from "./rights.ts"

/**
 * A command for the user. The palette lists available commands. With a `slash` name, the composer's `/` lists it too,
 * and shows why it is unavailable.
 */
export interface Command {
  id: string
  /** The palette's heading for the command. */
  group: string
  /** Same text as in the keyboard help, if the command has keys. */
  label: string
  hint?: string
  /** More search words. */
  keywords?: string[]
  /** The name after `/`. */
  slash?: string
  /** The required capability. Users without it do not see the command. */
  needs?: Capability
  /** Why the command is unavailable now; undefined when it is available. */
  unavailable?: string | undefined
  run(): unknown
}

const Context = createContext<Set<{ commands: Command[] }> | null>(null)

/** Collects the commands that parts of a page offer. */
export function CommandsProvider({ children }: { children: ReactNode }) {
  const offers = useRef(new Set<{ commands: Command[] }>())
  return <Context value={offers.current}>{children}</Context>
}

/** Offers commands while the component is mounted. */
export function useOffer(commands: Command[]): void {
  const offers = useContext(Context)
  const offer = useRef({ commands })
  offer.current.commands = commands
  useEffect(() => {
    const own = offer.current
    offers?.add(own)
    return () => void offers?.delete(own)
  }, [offers])
}

/** Returns a function that lists the commands offered now. */
export function useOffered(): () => Command[] {
  const offers = useContext(Context)
  return () => [...(offers ?? [])].flatMap(({ commands }) => commands)
}

/** The commands that the user may run. */
export function allowedOf(commands: readonly Command[], { can }: Pick<Rights, "can">): Command[] {
  return commands.filter(({ needs }) => needs === undefined || can(needs))
}
