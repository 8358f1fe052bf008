"use client"

import { formatDuration } from "@docket/core/duration"
import { useContext, useEffect, useRef } from "react"
import { NowContext } from "./now-context.ts"

/**
 * Time from `start` to `end`, both epoch ms; it counts while `end` is null. A timer writes the running value to the
 * text node, so that a page with many timers does not render again.
 */
export function Elapsed({ start, end }: { start: number; end: number | null }) {
  const ref = useRef<HTMLTimeElement>(null)
  const now = useContext(NowContext)
  useEffect(() => {
    const node = ref.current
    if (!node) return
    const write = () => {
      node.textContent = formatDuration((end ?? now()) - start)
    }
    write()
    if (end !== null) return
    const timer = setInterval(write, 1000)
    return () => clearInterval(timer)
  }, [start, end, now])
  return (
    <time ref={ref} className="tabular" suppressHydrationWarning>
      {end === null ? "" : formatDuration(end - start)}
    </time>
  )
}
