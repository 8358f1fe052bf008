import type { Metadata } from "next"
import Link from "next/link"
import styles from "./page-message.module.css"

export const metadata: Metadata = { title: "Page not found" }

export default function NotFound() {
  return (
    <main className={styles.page}>
      <h1>There is no page at this address</h1>
      <p>The link may be mistyped, or what it showed was removed.</p>
      <Link href="/">Go to the inbox</Link>
    </main>
  )
}
