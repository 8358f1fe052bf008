"use client"

import { useSearchParams } from "next/navigation"
import styles from "./share.module.css"

/**
 * The form for a link's password. Every link that cannot be opened shows it, so that a guessed link looks like one with
 * a password. The form posts to the page's own address, and works without a script.
 */
export function SharePassword() {
  const tried = useSearchParams().has("tried")
  return (
    <form method="post" className={styles.password}>
      <label>
        Has it a password?
        <input type="password" name="password" autoComplete="off" required maxLength={200} aria-describedby="tried" />
      </label>
      <button type="submit">Open</button>
      <p id="tried" role={tried ? "alert" : undefined}>
        {tried ? "That did not open it. After several tries, wait a minute." : null}
      </p>
    </form>
  )
}
