"use client"

import { useEffect, useRef } from "react"
import { type RetryStatus, retryIn, retryText } from "./retry-text.ts"

/** Shows that a session will retry, and when; the reason on hover. */
export function RetryNote({ status, className }: { status: RetryStatus; className?: string | undefined }) {
  return <Ticking className={className} title={status.message} write={(now) => retryText(status, now)} />
}

/** When the next attempt begins: "in 12 s". */
export function RetryCountdown({ status }: { status: RetryStatus }) {
  return <Ticking write={(now) => retryIn(status, now)} />
}

interface TickingProps {
  className?: string | undefined
  title?: string
  write(now: number): string
}

/** Writes to the text node every second, so that React does not render. */
function Ticking({ className = "", title, write }: TickingProps) {
  const ref = useRef<HTMLSpanElement>(null)
  const latest = useRef(write)
  latest.current = write
  useEffect(() => {
    const tick = () => {
      if (ref.current) ref.current.textContent = latest.current(Date.now())
    }
    tick()
    const timer = setInterval(tick, 1000)
    return () => clearInterval(timer)
  })
  return <span ref={ref} className={`tabular ${className}`} title={title} />
}
