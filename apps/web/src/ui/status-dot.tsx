import styles from "./status.module.css"
import { type Status, statusLabel } from "./status.ts"

/** A status as an 8 px dot. `label` replaces the spoken word; pass "" when text beside it says the same. */
export function StatusDot({ status, label = statusLabel[status] }: { status: Status; label?: string }) {
  if (label === "") return <span aria-hidden className={`${styles.dot} ${styles[status]}`} />
  return <span role="img" aria-label={label} title={label} className={`${styles.dot} ${styles[status]}`} />
}
