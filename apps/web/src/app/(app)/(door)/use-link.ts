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
    const controller = new AbortController()
    const secret = location.hash.slice(1)
    send<T>(route, { secret }, controller.signal).then((found) => {
      if (!controller.signal.aborted) setLink({ secret, found })
    })
    return () => controller.abort()
  }, [route])
  return link
}
