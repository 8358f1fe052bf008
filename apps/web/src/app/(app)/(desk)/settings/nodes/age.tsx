"use client"

import { formatCountdown } from "@docket/core/duration"
import { useEffect, useRef } from "react"

/** How long ago that was (epoch ms), in whole seconds. A timer updates the text node. */
export function Age({ since }: { since: number }) {
  const ref = useRef<HTMLTimeElement>(null)
  useEffect(() => {
    const write = () => {
      if (ref.current) ref.current.textContent = formatCountdown(Date.now() - since)
    }
    write()
    const timer = setInterval(write, 1_000)
    return () => clearInterval(timer)
  }, [since])
  return <time ref={ref} className="tabular" suppressHydrationWarning />
}
