"use client"

import { useEffect } from "react"
import { pagesAnswer } from "../ui/load-part.ts"
import styles from "./page-message.module.css"

/** Shown when a page could not be rendered. No data on the server is lost. */
export default function ErrorPage({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) {
  const outdated = error.name === "ChunkLoadError"
  useEffect(() => {
    if (outdated) return reloadWhenServed()
  }, [outdated])
  return (
    <main className={styles.page}>
      <h1>{outdated ? "Docket was restarted" : "This page broke"}</h1>
      <p>
        {outdated
          ? "Your sessions go on and nothing is lost. The page loads again by itself; if it does not, this is what happened:"
          : "Your sessions go on and nothing is lost. Try again; if it breaks again, this is what happened:"}
      </p>
      <code>{error.message}</code>
      <button type="button" onClick={outdated ? () => location.reload() : reset}>
        Try again
      </button>
    </main>
  )
}

const reloadedKey = "docket-reloaded-at"

/** If a reload did not help, the next one is not tried within this time (ms). */
const uselessMs = 60_000

function reloadWhenServed(): () => void {
  if (Date.now() - Number(sessionStorage.getItem(reloadedKey)) < uselessMs) return () => {}
  const timer = setInterval(async () => {
    if (!(await pagesAnswer())) return
    clearInterval(timer)
    sessionStorage.setItem(reloadedKey, String(Date.now()))
    location.reload()
  }, 1_000)
  return () => clearInterval(timer)
}
