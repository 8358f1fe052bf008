import styles from "./permission-card.module.css"

/** A unified diff as coloured lines; the signs carry the meaning without colour. */
export function DiffText({ diff }: { diff: string }) {
  return (
    <pre className={styles.code}>
      {diff.split("\n").map((line, index) => {
        const header = line.startsWith("+++") || line.startsWith("---")
        const kind = header
          ? undefined
          : line.startsWith("+")
            ? styles.added
            : line.startsWith("-")
              ? styles.removed
              : undefined
        return (
          <span key={index} className={kind}>
            {line}
            {"\n"}
          </span>
        )
      })}
    </pre>
  )
}
