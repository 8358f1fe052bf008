import type { TaskSummary } from "@docket/core/schema"
import { Button } from "@mantine/core"
import { GitBranch } from "lucide-react"
import { ByPerson } from "../../ui/person.tsx"
import styles from "./tasks.module.css"

type Worktree = NonNullable<TaskSummary["worktree"]>

const words: Record<Worktree["state"], string | null> = {
  active: null,
  ready: "ready to merge",
  merged: "merged",
  conflict: "has conflicts",
  removed: null,
}

interface TaskBranchProps {
  worktree: Worktree
  number: number
  busy: boolean
  /** Null for a user without the right to merge. */
  onMerge: (() => void) | null
}

/** The branch of a task's worktree, its state, and the files in conflict. A branch without changes is not kept. */
export function TaskBranch({ worktree, number, busy, onMerge }: TaskBranchProps) {
  const { state, branch, conflicts } = worktree
  if (state === "removed") return null
  return (
    <div className={styles.branch} data-state={state}>
      <span className={styles.branchLine}>
        <GitBranch size={12} role="img" aria-label="Branch" className={styles.branchIcon} />
        <code title={`${branch}\n${worktree.directory}`}>{branch}</code>
        {words[state] === null ? null : <span className={styles.branchState}>{words[state]}</span>}
        {state === "merged" || state === "conflict" ? <ByPerson by={worktree.by} /> : null}
        {onMerge !== null && (state === "ready" || state === "conflict") ? (
          <Button
            data-cell
            tabIndex={-1}
            className={styles.merge ?? ""}
            aria-label={`Merge the branch of task ${number}`}
            disabled={busy}
            onClick={onMerge}
          >
            Merge
          </Button>
        ) : null}
      </span>
      {conflicts.length === 0 ? null : (
        <ul className={styles.conflicts} aria-label="Files in conflict">
          {conflicts.map((file) => (
            <li key={file}>
              <code>{file}</code>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
