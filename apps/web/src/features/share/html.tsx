import { createCodeHighlighter } from "../markdown/highlight.ts"
import styles from "../markdown/markdown.module.css"
import { createMarkdownRenderer } from "./render-markdown.ts"

/** Lives as long as the process: a finished part looks the same for every viewer. */
const renderer = createMarkdownRenderer({
  highlighter: createCodeHighlighter(),
  tokenClass: styles.token ?? "",
  plainClass: styles.plain ?? "",
  capacity: 2_000,
})

/** Markdown as HTML, sanitized by the renderer: the page needs no parser in the browser. */
export async function MarkdownHtml({ text }: { text: string }) {
  const html = await renderer.markdown(text)
  return <div className={styles.prose} dangerouslySetInnerHTML={{ __html: html }} />
}

/** A block of code as sanitized HTML. */
export async function CodeHtml({ text, language }: { text: string; language: string | null }) {
  const html = await renderer.code(text, language)
  return <div className={`${styles.prose} ${styles.wide}`} dangerouslySetInnerHTML={{ __html: html }} />
}
