import styles from "./choice.module.css"

/** One line of a list of choices, with its explanation below. */
export function Choice({ name, hint }: { name: string; hint?: string | null }) {
  return (
    <>
      <span className={styles.name}>{name}</span>
      {hint ? <span className={styles.hint}>{hint}</span> : null}
    </>
  )
}
