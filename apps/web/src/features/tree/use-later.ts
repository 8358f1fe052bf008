"use client"

import { useEffect, useRef } from "react"

/** Runs `work` `ms` after `value` changed, even if it keeps changing. */
export function useLater(value: unknown, ms: number, work: () => void): void {
  const latest = useRef(work)
  latest.current = work
  const seen = useRef(value)
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null)
  useEffect(() => {
    if (seen.current === value) return
    seen.current = value
    timer.current ??= setTimeout(() => {
      timer.current = null
      latest.current()
    }, ms)
  }, [value, ms])
  useEffect(
    () => () => {
      if (timer.current !== null) clearTimeout(timer.current)
      timer.current = null
    },
    [],
  )
}
