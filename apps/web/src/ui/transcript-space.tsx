import { SkeletonRows } from "./skeleton-rows.tsx"
import styles from "./transcript-space.module.css"

/** Placeholder of a transcript until its rows are loaded. */
export function TranscriptSpace({ label = "Loading the transcript" }: { label?: string }) {
  return (
    <div className={styles.space}>
      <SkeletonRows count={8} height={36} label={label} />
    </div>
  )
}
