import styles from "./skeleton-rows.module.css"

const widths = ["72%", "54%", "81%", "46%", "63%"]

/** Placeholder rows with the height of the real ones (px), so that nothing moves when they are loaded. */
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
