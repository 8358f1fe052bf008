import { CostTokens } from "../../ui/cost-tokens.tsx"
import { formatCount } from "../../ui/format-count.ts"
import type { TaskStep, TaskView } from "./read-task.ts"
import styles from "./task.module.css"

/** The usage of a task: its newest calls as ticks, their number, tokens and cost, and the program that does it. */
export function TaskFigures({ task }: { task: TaskView }) {
  return (
    <>
      <StepTicks steps={task.steps} />
      {task.program === null ? null : <span>runs {task.program}</span>}
      {task.toolCount > 0 ? <span>{formatCount(task.toolCount, "tool call")}</span> : null}
      {task.tokens > 0 || task.cost > 0 ? <CostTokens tokens={task.tokens} cost={task.cost} /> : null}
    </>
  )
}

const shownTicks = 24

/** One tick for each tool call of the child, to show progress without words. */
function StepTicks({ steps }: { steps: readonly TaskStep[] }) {
  if (steps.length === 0) return null
  return (
    <span aria-hidden className={styles.ticks}>
      {steps.slice(-shownTicks).map((step) => (
        <i key={step.id} data-status={step.status} />
      ))}
    </span>
  )
}
