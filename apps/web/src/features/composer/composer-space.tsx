import styles from "./composer.module.css"

/** Placeholder of the prompt field until its data is loaded. `words`: the placeholder text of the empty field. */
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
