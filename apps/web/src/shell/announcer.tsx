"use client"

import { createContext, type ReactNode, useCallback, useContext, useRef } from "react"

type Announce = (message: string) => void

const Context = createContext<Announce>(() => {})

/** Contains the page's only polite status region. */
export function AnnouncerProvider({ children }: { children: ReactNode }) {
  const region = useRef<HTMLDivElement>(null)
  const announce = useCallback<Announce>((message) => {
    if (!region.current) return
    // Screen readers repeat a message only when the text changes.
    region.current.textContent = region.current.textContent === message ? `${message}\u00a0` : message
  }, [])
  return (
    <Context value={announce}>
      {children}
      <div ref={region} role="status" aria-live="polite" className="visually-hidden" />
    </Context>
  )
}

/** Announces a short sentence to screen readers without moving focus. */
export function useAnnounce(): Announce {
  return useContext(Context)
}
