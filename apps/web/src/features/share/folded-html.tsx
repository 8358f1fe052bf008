import { formatCount } from "../../ui/format-count.ts"
import { foldMarkdown } from "../markdown/fold-markdown.ts"
import { MarkdownHtml } from "./html.tsx"
import styles from "./share.module.css"

/** What a public page draws of a text: as much as `elements-of.ts` counts for it. */
const shownLines = { head: 48, tail: 12 }
/** A text up to this length lies whole in the page, as one element (UTF-16 units). */
const longestWhole = 60_000

/** Markdown as finished HTML; of a long text both ends, and all of it as plain text, where that is no burden. */
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
