import type { TaskSummary } from "@docket/core/schema"
import { GitBranch } from "lucide-react"
import styles from "./tasks.module.css"

type Worktree = NonNullable<TaskSummary["worktree"]>

const words: Record<Worktree["state"], string> = {
  active: "works on its own branch",
  ready: "ready to merge",
  merged: "merged",
  conflict: "has conflicts",
  removed: "removed",
}

/** The branch that a task works on and what became of it, conflicts by name. */
export function TaskBranch({ worktree }: { worktree: Worktree }) {
  return (
    <span className={styles.branch} data-state={worktree.state}>
      <span className={styles.branchName}>
        <GitBranch size={12} aria-hidden className={styles.branchIcon} />
        <code title={worktree.directory}>{worktree.branch}</code>
        <span className={styles.branchState}>{words[worktree.state]}</span>
      </span>
      {worktree.conflicts.length === 0 ? null : (
        <ul className={styles.conflicts} aria-label="Files in conflict">
          {worktree.conflicts.map((file) => (
            <li key={file}>
              <code>{file}</code>
            </li>
          ))}
        </ul>
      )}
    </span>
  )
}
