import { agentHue } from "../../theme/agent-hue.ts"
import { TextWithCode } from "../../ui/text-with-code.tsx"
import { TaskGlyph } from "../task/task-glyph.tsx"
import type { ReferredTask } from "./call-view.ts"
import styles from "./task.module.css"

/** The tasks that a call refers to, as they were when it ended. */
export function TaskRefs({ tasks }: { tasks: readonly ReferredTask[] }) {
  return (
    <ul className={styles.refs}>
      {tasks.map((task) => (
        <li key={task.taskId} className={styles.ref} style={{ borderLeftColor: agentHue(task.agent) }}>
          <TaskGlyph state={task.state} />
          <span className={styles.refNumber}>#{task.number}</span>
          <span className={styles.refName}>
            <TextWithCode text={task.description} />
          </span>
          <span className={styles.agent}>@{task.agent}</span>
        </li>
      ))}
    </ul>
  )
}
