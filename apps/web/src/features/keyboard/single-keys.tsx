"use client"

import { createContext, type ReactNode, startTransition, useContext, useEffect, useMemo, useState } from "react"

const cookie = "docket-single-keys"
/** How long the choice is kept (s). */
const year = 31_536_000

interface SingleKeys {
  /** Whether keys without a modifier act as shortcuts. */
  enabled: boolean
  setEnabled(enabled: boolean): void
}

const Context = createContext<SingleKeys>({ enabled: true, setEnabled: () => {} })

/** Stores the choice in a cookie of this browser, because it depends on the keyboard. */
export function SingleKeysProvider({ children }: { children: ReactNode }) {
  const [enabled, setState] = useState(true)
  useEffect(() => startTransition(() => setState(!document.cookie.includes(`${cookie}=off`))), [])
  const value = useMemo(
    () => ({
      enabled,
      setEnabled: (next: boolean) => {
        // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in Firefox and Safari before 18.4
        document.cookie = `${cookie}=${next ? "on" : "off"}; path=/; max-age=${year}; samesite=lax`
        setState(next)
      },
    }),
    [enabled],
  )
  return <Context value={value}>{children}</Context>
}

export function useSingleKeys(): SingleKeys {
  return useContext(Context)
}
