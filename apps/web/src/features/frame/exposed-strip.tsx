import { LockOpen } from "lucide-react"
import styles from "./exposed-strip.module.css"

/** Warns the user on every page that they signed in over an unencrypted connection. */
export function ExposedStrip() {
  return (
    <aside className={styles.strip} aria-label="About this connection">
      <LockOpen size={13} aria-hidden />
      <p>
        Not encrypted: others in this network can read along<span className={styles.more}>, passwords too</span>.
      </p>
    </aside>
  )
}
