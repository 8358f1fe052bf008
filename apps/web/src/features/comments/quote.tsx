import { plainText } from "../../ui/plain-text.ts"
import styles from "./comments.module.css"

/** A longer quote is truncated; its place shows the rest (UTF-16 units). */
const shownQuote = 400

/** The quoted text of a place: code unchanged, Markdown as plain text. */
export function Quote({ text: source, code }: { text: string; code: boolean }) {
  const text = code ? source : plainText(source) || source
  return (
    <blockquote className={styles.quote} data-code={code}>
      {text.length > shownQuote ? `${text.slice(0, shownQuote)}…` : text}
    </blockquote>
  )
}
