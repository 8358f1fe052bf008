"use client"

import { useEffect, useState } from "react"
import { type Sent, send } from "./send.ts"

export interface OpenedLink<T> {
  secret: string
  /** Null while it is looked at. */
  found: Sent<T> | null
}

/** What stands behind the fragment of a link, which browsers send to no server by themselves. */
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
    // A link that is pasted while this page shows changes only the fragment, which loads nothing anew.
    addEventListener("hashchange", look)
    return () => {
      removeEventListener("hashchange", look)
      controller.abort()
    }
  }, [route])
  return link
}
