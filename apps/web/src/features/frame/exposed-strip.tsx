import { LockOpen } from "lucide-react"
import styles from "./exposed-strip.module.css"

/** Says on every page of who signs in that it came over the network in the clear. */
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
