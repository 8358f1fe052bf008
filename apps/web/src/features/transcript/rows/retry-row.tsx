"use client"

import type { RetryPart, SessionStatus } from "@docket/core/schema"
import { useEffect, useRef } from "react"
import styles from "./rows.module.css"

interface RetryRowProps {
  part: RetryPart
  /** Of the session; it knows when the next attempt starts. */
  status: SessionStatus
}

/** The provider failed and will be asked again: why, and when. */
export function RetryRow({ part, status }: RetryRowProps) {
  return (
    <p className={styles.retry}>
      <span>
        {part.error.message} · Attempt {part.attempt} failed
        {status.type === "retry" ? (
          <>
            , next <Countdown to={status.next} />
          </>
        ) : null}
        .
      </span>
    </p>
  )
}

/** Seconds until `to` (epoch ms), written to the text node so that nothing renders. */
function Countdown({ to }: { to: number }) {
  const ref = useRef<HTMLSpanElement>(null)
  useEffect(() => {
    const write = () => {
      const seconds = Math.ceil((to - Date.now()) / 1000)
      if (ref.current) ref.current.textContent = seconds > 0 ? `in ${seconds} s` : "now"
    }
    write()
    const timer = setInterval(write, 1000)
    return () => clearInterval(timer)
  }, [to])
  return <span ref={ref} className="tabular" />
}
