import { formatCount } from "../../../ui/format-count.ts"
import type { Row } from "./row.ts"

/** What is said of attempts that failed. `next` names the one to come; null when there is none. */
export function retryWords({ parts, over }: Extract<Row, { kind: "retry" }>): {
  failed: string
  reason: string
  next: string | null
} {
  const last = parts.at(-1)
  const count = last?.attempt ?? parts.length
  return {
    failed: `${formatCount(count, "attempt")} failed`,
    reason: last?.error.message ?? "",
    next: over ? null : `Attempt ${count + 1}`,
  }
}
