import type { SessionRepository } from "@docket/core/schema"
import styles from "./session-page.module.css"

/** Why the server of the project's repository lacks some of the work, and what helps. */
export function RepositoryNote({ repository }: { repository: SessionRepository }) {
  if (repository.problem === null) return null
  return (
    <p role="status" className={styles.storing}>
      {repository.problem}
    </p>
  )
}
