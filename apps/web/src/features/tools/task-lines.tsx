import { agentHue } from "../../theme/agent-hue.ts"
import { CostTokens } from "../../ui/cost-tokens.tsx"
import { Elapsed } from "../../ui/elapsed.tsx"
import { formatDuration } from "../../ui/format.ts"
import { formatCount } from "../../ui/format-count.ts"
import { plainText } from "../../ui/plain-text.ts"
import { Words } from "../../ui/words.tsx"
import { TaskGlyph } from "../task/task-glyph.tsx"
import type { TaskStep, TaskView } from "./read-task.ts"
import styles from "./task.module.css"

interface TaskLinesProps {
  task: TaskView
  /** A request in the child waits for an answer. */
  needsYou?: boolean
}

/** The three fixed lines of a task card; its height never changes while the child works. */
export function TaskLines({ task, needsYou = false }: TaskLinesProps) {
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
      <span className={styles.second}>{needsYou ? "Waits for your answer" : currentLine(task)}</span>
      <span className={styles.third}>
        <StepTicks steps={task.steps} />
        {task.toolCount > 0 ? <span>{formatCount(task.toolCount, "tool call")}</span> : null}
        {task.tokens > 0 || task.cost > 0 ? <CostTokens tokens={task.tokens} cost={task.cost} /> : null}
      </span>
    </span>
  )
}

function currentLine(task: TaskView): string {
  if (task.state === "queued") return "Waits for a free place"
  if (task.state === "running") {
    if (task.current) return stepText(task.current)
    return task.toolCount > 0 ? "Working" : "Starting"
  }
  if (task.state === "failed") return beginning(task.error) ?? "Failed"
  if (task.state === "cancelled") return "Cancelled"
  if (task.state === "timed_out") return "Ran out of time"
  if (task.state === "interrupted") return "Interrupted"
  return beginning(task.result) ?? "Finished"
}

function stepText(step: TaskStep): string {
  return step.title ? `${step.tool} ${step.title}` : step.tool
}

/** More than a line holds (UTF-16 units). */
const shownText = 300

/** How a text begins, in one line without Markdown marks. */
function beginning(text: string | null): string | null {
  return text === null ? null : plainText(text.slice(0, shownText)) || null
}

/** At most this many ticks; the newest are shown. */
const shownTicks = 24

/** One tick a tool call of the child, so that progress shows without words. */
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
