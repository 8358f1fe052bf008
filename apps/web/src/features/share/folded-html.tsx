import { formatCount } from "../../ui/format-count.ts"
import { foldMarkdown } from "../markdown/fold-markdown.ts"
import { MarkdownHtml } from "./html.tsx"
import styles from "./share.module.css"

/** How many lines of a text a public page shows: as many as `elements-of.ts` counts. */
const shownLines = { head: 48, tail: 12 }
/** Up to this length the whole text is included as one element (UTF-16 units). */
const longestWhole = 60_000

/**
 * Markdown as HTML. A long text shows its beginning and end, and its whole source as plain text unless that is too
 * long.
 */
export function FoldedHtml({ text }: { text: string }) {
  const folded = foldMarkdown(text, shownLines)
  if (folded === null) return <MarkdownHtml text={text} />
  const lines = formatCount(folded.lines, "line")
  return (
    <>
      <MarkdownHtml text={folded.head} />
      {text.length > longestWhole ? (
        <p className={styles.leftOut}>The middle of {lines} is left out here.</p>
      ) : (
        <details className={styles.leftOut}>
          <summary>Show all {lines}</summary>
          <pre>{text}</pre>
        </details>
      )}
      {folded.tail === "" ? null : <MarkdownHtml text={folded.tail} />}
    </>
  )
}
