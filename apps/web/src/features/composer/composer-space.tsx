import styles from "./composer.module.css"

/** Holds the place of the prompt field until what it needs is known. */
export function ComposerSpace() {
  return (
    <div className={styles.space} aria-busy>
      <span className="visually-hidden">Loading the prompt field</span>
    </div>
  )
}
