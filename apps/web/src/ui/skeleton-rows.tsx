import styles from "./skeleton-rows.module.css"

const widths = ["72%", "54%", "81%", "46%", "63%"]

/** Rows of the height (px) that the real ones will have, so that nothing moves when they come. */
export function SkeletonRows({ count, height = 28, label }: { count: number; height?: number; label: string }) {
  return (
    <div className={styles.rows} aria-busy>
      <span className="visually-hidden">{label}</span>
      {Array.from({ length: count }, (_, index) => (
        <div key={index} className={styles.row} style={{ height }}>
          <div className={styles.bar} style={{ width: widths[index % widths.length] }} />
        </div>
      ))}
    </div>
  )
}
