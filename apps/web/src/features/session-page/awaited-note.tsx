import { awaitedText } from "@docket/core/awaited-text"
import type { AwaitedHost } from "@docket/core/schema"
import { visibleText } from "@docket/core/visible-text"
import styles from "./session-page.module.css"

/** The work waits for a host: which one, and what somebody has to do. */
export function AwaitedNote({ host }: { host: AwaitedHost }) {
  const { what, remedy, command } = awaitedText(host)
  return (
    <p role="status" className={`${styles.storing} ${styles.awaited}`}>
      {visibleText(`Waits ${what}`)} {remedy} {command === null ? null : <code>{visibleText(command)}</code>}
    </p>
  )
}
