"use client"

import type { SessionStatus } from "@docket/core/schema"
import { TextWithCode } from "../../../ui/text-with-code.tsx"
import { RetryCountdown } from "../../task/retry-note.tsx"
import { retryMessage } from "./retry-messages.ts"
import type { Row } from "./row.ts"
import styles from "./rows.module.css"

interface RetryRowProps {
  row: Extract<Row, { kind: "retry" }>
  /** Status of the session; it says when the next attempt starts. */
  status: SessionStatus
}

/** The provider failed and is retried: how often, why, and when. One card shows all attempts of an answer. */
export function RetryRow({ row, status }: RetryRowProps) {
  const { failed, reason, next } = retryMessage(row)
  return (
    <p className={styles.retry} data-over={row.over}>
      <span>
        {failed}: <TextWithCode text={reason} />
        {next === null ? null : (
          <>
            {" "}
            {next} {status.type === "retry" ? <RetryCountdown status={status} /> : "is under way"}.
          </>
        )}
      </span>
    </p>
  )
}
