import styles from "./workspace-row.module.css"

/** A workspace as one or two letters. The text beside it names the workspace. */
export function WorkspaceMark({ name }: { name: string }) {
  return (
    <span className={styles.mark} aria-hidden>
      {workspaceLetters(name)}
    </span>
  )
}

/** The first letters of the first two words. */
export function workspaceLetters(name: string): string {
  const words = name.match(/[\p{L}\p{N}]+/gu) ?? []
  const letters = words.slice(0, 2).map((word) => [...word][0] ?? "")
  return letters.join("").toUpperCase() || "?"
}
