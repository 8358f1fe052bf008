import type { ReactNode } from "react"
import styles from "./kbd.module.css"

/** One key. Use several side by side for a chord or a sequence. */
export function Kbd({ children }: { children: ReactNode }) {
  return <kbd className={styles.kbd}>{children}</kbd>
}
