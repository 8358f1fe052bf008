"use client"

import { useSearchParams } from "next/navigation"
import styles from "./share.module.css"

/**
 * Where a reader gives the password of a link. It stands on the page of every link that does not open: a guessed one looks
 * like one that has a password. The form goes to the address of the page, also without a script.
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
