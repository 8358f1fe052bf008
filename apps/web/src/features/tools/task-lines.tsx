import { formatDuration } from "@docket/core/duration"
import { agentHue } from "../../theme/agent-hue.ts"
import { Elapsed } from "../../ui/elapsed.tsx"
import { Words } from "../../ui/words.tsx"
import { RetryNote } from "../task/retry-note.tsx"
import type { RetryStatus } from "../task/retry-text.ts"
import { TaskGlyph } from "../task/task-glyph.tsx"
import type { TaskView } from "./read-task.ts"
import styles from "./task.module.css"
import { TaskFigures } from "./task-figures.tsx"
import { taskNow } from "./task-now.ts"

interface TaskLinesProps {
  task: TaskView
  /** A request in the child waits for an answer. */
  needsYou?: boolean
  /** The child's provider failed and is asked again. */
  retry?: RetryStatus | null
}

/** The three fixed lines of a task card; its height never changes while the child works. */
export function TaskLines({ task, needsYou = false, retry = null }: TaskLinesProps) {
  const running = task.state === "running" || task.state === "queued"
  return (
    <span className={styles.lines} style={{ borderLeftColor: agentHue(task.agent) }}>
      <span className={styles.first}>
        <TaskGlyph state={task.state} needsYou={needsYou} />
        <span className={styles.name}>
          <Words text={task.description} />
        </span>
        <span className={styles.agent}>@{task.agent}</span>
        <span className={styles.elapsed}>
          {running && task.startedAt !== null ? (
            <Elapsed start={task.startedAt} end={null} />
          ) : task.elapsed === null ? (
            ""
          ) : (
            formatDuration(task.elapsed)
          )}
        </span>
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
