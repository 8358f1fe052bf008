"use client"

import { useEffect, useState } from "react"
import { type Sent, send } from "./send.ts"

export interface OpenedLink<T> {
  secret: string
  /** Null while loading. */
  found: Sent<T> | null
}

/** Looks up the secret in a link's fragment. Browsers never send the fragment to a server by themselves. */
export function useLink<T>(route: string): OpenedLink<T> {
  const [link, setLink] = useState<OpenedLink<T>>({ secret: "", found: null })
  useEffect(() => {
    let controller = new AbortController()
    const look = () => {
      controller.abort()
      controller = new AbortController()
      const { signal } = controller
      const secret = location.hash.slice(1)
      setLink({ secret, found: null })
      send<T>(route, { secret }, signal).then((found) => {
        if (!signal.aborted) setLink({ secret, found })
      })
    }
    look()
    // Pasting another link while this page is open changes only the fragment, and does not reload the page.
    addEventListener("hashchange", look)
    return () => {
      removeEventListener("hashchange", look)
      controller.abort()
    }
  }, [route])
  return link
}
