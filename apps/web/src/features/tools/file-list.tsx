import { formatCount } from "../../ui/format-count.ts"
import type { FileHit } from "./call-view.ts"
import styles from "./tools.module.css"

/** Maximum number of rows; the rest is only counted. */
const shownHits = 100

/** Paths that glob or list found, or grep's matches grouped by file. */
export function FileList({ hits, truncated }: { hits: readonly FileHit[]; truncated: boolean }) {
  if (hits.length === 0) return <p className={styles.note}>Nothing found.</p>
  const shown = hits.slice(0, shownHits)
  return (
    <ul className={styles.files}>
      {shown.map((hit, index) => (
        <li key={`${hit.path}:${hit.line ?? index}`}>
          {hit.line !== null && shown[index - 1]?.path === hit.path ? null : (
            <span className={styles.path}>{hit.path}</span>
          )}
          {hit.line === null ? null : (
            <span className={styles.match}>
              <span className={styles.lineNumber}>{hit.line}</span>
              <span>{hit.text}</span>
            </span>
          )}
        </li>
      ))}
      {hits.length > shown.length ? (
        <li className={styles.note}>{formatCount(hits.length - shown.length, "more result")}</li>
      ) : truncated ? (
        <li className={styles.note}>The tool stopped here; there are more results.</li>
      ) : null}
    </ul>
  )
}
