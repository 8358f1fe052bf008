"use client"

import { formatDuration } from "@docket/core/duration"
import { useEffect, useRef } from "react"

/**
 * Time from `start` to `end`, both epoch ms; it counts while `end` is null. The running value is
 * written to the text node by a timer, so a page of timers renders nothing.
 */
export function Elapsed({ start, end }: { start: number; end: number | null }) {
  const ref = useRef<HTMLTimeElement>(null)
  useEffect(() => {
    const node = ref.current
    if (!node) return
    const write = () => {
      node.textContent = formatDuration((end ?? Date.now()) - start)
    }
    write()
    if (end !== null) return
    const timer = setInterval(write, 1000)
    return () => clearInterval(timer)
  }, [start, end])
  return (
    <time ref={ref} className="tabular" suppressHydrationWarning>
      {end === null ? "" : formatDuration(end - start)}
    </time>
  )
}
