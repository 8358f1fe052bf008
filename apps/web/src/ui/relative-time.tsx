"use client"

import { useEffect, useRef } from "react"
import { formatDateTime, formatRelative } from "./format.ts"

/** Epoch ms as "5 min. ago". A timer updates the text node. */
export function RelativeTime({ time }: { time: number }) {
  const ref = useRef<HTMLTimeElement>(null)
  useEffect(() => {
    const write = () => {
      if (!ref.current) return
      ref.current.textContent = formatRelative(time, Date.now())
      ref.current.title = formatDateTime(time)
    }
    write()
    const timer = setInterval(write, 30_000)
    return () => clearInterval(timer)
  }, [time])
  return <time ref={ref} dateTime={new Date(time).toISOString()} className="tabular" suppressHydrationWarning />
}
