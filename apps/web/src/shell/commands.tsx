"use client"

import type { Capability } from "@docket/client/pages"
import { createContext, type ReactNode, useContext, useEffect, useRef } from "react"
import type { Rights } from "./rights.ts"

/**
 * Something that a person can do: the palette lists it while it can be done, and the composer's `/` when it has a `slash`
 * name, with the reason where it cannot be done now.
 */
export interface Command {
  id: string
  /** Under which heading the palette lists it. */
  group: string
  /** The words of the keyboard help where the command has keys. */
  label: string
  hint?: string
  /** Other words that find it. */
  keywords?: string[]
  /** What is typed after `/`. */
  slash?: string
  /** What it takes to do it, and most readers may not have; who has it not is not offered the command. */
  needs?: Capability
  /** Why it cannot be done now; left out when it can. */
  unavailable?: string | undefined
  run(): unknown
}

const Context = createContext<Set<{ commands: Command[] }> | null>(null)

/** Where the parts of a page offer their commands. */
export function CommandsProvider({ children }: { children: ReactNode }) {
  const offers = useRef(new Set<{ commands: Command[] }>())
  return <Context value={offers.current}>{children}</Context>
}

/** Offers commands while the component is on the page. */
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

/** What the page offers at this moment. */
export function useOffered(): () => Command[] {
  const offers = useContext(Context)
  return () => [...(offers ?? [])].flatMap(({ commands }) => commands)
}

/** Those that the reader may carry out. */
export function allowedOf(commands: readonly Command[], { can }: Pick<Rights, "can">): Command[] {
  return commands.filter(({ needs }) => needs === undefined || can(needs))
}
