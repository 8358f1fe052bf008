"use client"

import type { SessionStatus } from "@docket/core/schema"
import { useEffect, useRef } from "react"
import { Words } from "../../../ui/words.tsx"
import { retryWords } from "./retry-words.ts"
import type { Row } from "./row.ts"
import styles from "./rows.module.css"

interface RetryRowProps {
  row: Extract<Row, { kind: "retry" }>
  /** Of the session; it knows when the next attempt starts. */
  status: SessionStatus
}

/** The provider failed and is asked again: how often, why, and when. One card for all attempts of an answer. */
export function RetryRow({ row, status }: RetryRowProps) {
  const { failed, reason, next } = retryWords(row)
  return (
    <p className={styles.retry} data-over={row.over}>
      <span>
        {failed}: <Words text={reason} />
        {next === null ? null : (
          <>
            {" "}
            {next} {status.type === "retry" ? <Countdown to={status.next} /> : "is under way"}.
          </>
        )}
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
