import styles from "./comments.module.css"

/** More of a quote is a press away on its place (UTF-16 units). */
const shownQuote = 400

/** What stood at a place, as text. */
export function Quote({ text, code }: { text: string; code: boolean }) {
  return (
    <blockquote className={styles.quote} data-code={code}>
      {text.length > shownQuote ? `${text.slice(0, shownQuote)}…` : text}
    </blockquote>
  )
}
