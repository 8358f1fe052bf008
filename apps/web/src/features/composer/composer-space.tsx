import styles from "./composer.module.css"

/** Holds the place of the prompt field until what it needs is known. `words` will stand in it as long as it is empty. */
export function ComposerSpace({ words }: { words?: string | undefined }) {
  return (
    <div className={styles.space} aria-busy>
      {words === undefined ? null : (
        <p className={styles.spaceWords} aria-hidden>
          {words}
        </p>
      )}
      <span className="visually-hidden">Loading the prompt field</span>
    </div>
  )
}
