import { plainText } from "../../ui/plain-text.ts"
import styles from "./comments.module.css"

/** More of a quote is a press away on its place (UTF-16 units). */
const shownQuote = 400

/** What stood at a place, as text: code as it is, Markdown without its marks. */
export function Quote({ text: source, code }: { text: string; code: boolean }) {
  const text = code ? source : plainText(source) || source
  return (
    <blockquote className={styles.quote} data-code={code}>
      {text.length > shownQuote ? `${text.slice(0, shownQuote)}…` : text}
    </blockquote>
  )
}
