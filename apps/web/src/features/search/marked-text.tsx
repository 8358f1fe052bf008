import { visibleText } from "@docket/core/rule"
import styles from "./search.module.css"

/** An excerpt with the search terms highlighted. Invisible characters are made visible. */
export function MarkedText({ text, marks }: { text: string; marks: readonly { start: number; end: number }[] }) {
  const pieces = marks.map(({ start, end }, index) => ({
    before: text.slice(marks[index - 1]?.end ?? 0, start),
    word: text.slice(start, end),
    start,
  }))
  return (
    <>
      {pieces.map(({ before, word, start }) => (
        <span key={start}>
          {visibleText(before)}
          <mark className={styles.mark}>{visibleText(word)}</mark>
        </span>
      ))}
      {visibleText(text.slice(marks.at(-1)?.end ?? 0))}
    </>
  )
}
