"use client"

import styles from "./page-message.module.css"

/** A page that could not be drawn. Nothing on the server is lost by it. */
export default function ErrorPage({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) {
  return (
    <main className={styles.page}>
      <h1>This page broke</h1>
      <p>Your sessions go on and nothing is lost. Try again; if it breaks again, this is what happened:</p>
      <code>{error.message}</code>
      <button type="button" onClick={reset}>
        Try again
      </button>
    </main>
  )
}
