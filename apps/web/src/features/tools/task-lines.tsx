import { agentHue } from "../../theme/agent-hue.ts"
import { TextWithCode } from "../../ui/text-with-code.tsx"
import { RetryNote } from "../task/retry-note.tsx"
import type { RetryStatus } from "../task/retry-text.ts"
import { TaskClock } from "../task/task-clock.tsx"
import { TaskGlyph } from "../task/task-glyph.tsx"
import type { TaskView } from "./read-task.ts"
import styles from "./task.module.css"
import { TaskFigures } from "./task-figures.tsx"
import { taskNow } from "./task-now.ts"

interface TaskLinesProps {
  task: TaskView
  /** A request in the child waits for an answer. */
  needsYou?: boolean
  /** The work of its tree waits for a host. */
  isAway?: boolean
  /** The child's provider failed and is retried. */
  retry?: RetryStatus | null
}

/** The three fixed lines of a task card. Its height stays the same while the child works. */
export function TaskLines({ task, needsYou = false, isAway = false, retry = null }: TaskLinesProps) {
  return (
    <span className={styles.lines} style={{ borderLeftColor: agentHue(task.agent) }}>
      <span className={styles.first}>
        <TaskGlyph state={task.state} needsYou={needsYou} isAway={isAway} />
        <span className={styles.name}>
          <TextWithCode text={task.description} />
        </span>
        <span className={styles.agent}>@{task.agent}</span>
        <span className={styles.elapsed}>{task.times === null ? null : <TaskClock times={task.times} />}</span>
      </span>
      <span className={styles.second}>
        {retry === null || needsYou ? taskNow(task, needsYou) : <RetryNote status={retry} className={styles.retry} />}
      </span>
      <span className={styles.third}>
        <TaskFigures task={task} />
      </span>
    </span>
  )
}
