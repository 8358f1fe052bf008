"use client"

import type { TaskSummary } from "@docket/core/schema"
import { taskTimes } from "@docket/core/task-times"
import { totalTokens } from "@docket/core/usage"
import Link from "next/link"
import type { ReactNode } from "react"
import { agentHue } from "../../../theme/agent-hue.ts"
import { CostTokens } from "../../../ui/cost-tokens.tsx"
import link from "../../../ui/link-button.module.css"
import { StatusGlyph } from "../../../ui/status-glyph.tsx"
import heading from "../../../ui/task-heading.module.css"
import { TextWithCode } from "../../../ui/text-with-code.tsx"
import { TaskClock } from "../../task/task-clock.tsx"
import { taskStateLabel } from "../../task/task-state.ts"
import type { GoInDesk } from "../desk/use-desk-place.ts"
import type { ReviewRow } from "./review-rows.ts"
import styles from "./task-head.module.css"

interface TaskHeadProps {
  row: ReviewRow
  /** The shown attempt; null for the root. */
  task: TaskSummary | null
  /** The brief and the result. */
  brief: ReactNode
  go: GoInDesk
}

/** The head of a task: title, status, figures, brief and result. */
export function TaskHead({ row, task, brief, go }: TaskHeadProps) {
  return (
    <header className={styles.head} style={{ borderLeftColor: agentHue(row.agent) }}>
      <div className={heading.title}>
        {row.status === null ? null : (
          <StatusGlyph status={row.status} label={task ? taskStateLabel[task.state] : ""} />
        )}
        <h1>
          {task === null ? null : <span className={styles.number}>#{task.number} </span>}
          <TextWithCode text={row.title || "Untitled"} />
        </h1>
        <span className={heading.agent}>@{row.agent}</span>
        {row.attempts.length > 1 ? <Attempts row={row} current={task} go={go} /> : null}
        {task === null ? null : <Figures task={task} />}
      </div>
      {brief}
    </header>
  )
}

/** Time and cost of the task, with a link to compare it with another. */
function Figures({ task }: { task: TaskSummary }) {
  return (
    <span className={heading.figures}>
      <TaskClock times={taskTimes(task)} />
      <CostTokens cost={task.usage.cost} tokens={totalTokens(task.usage.tokens)} />
      <Link className={link.link} href={`/review/${task.rootID}/compare?task=${task.id}`}>
        Compare<span className="visually-hidden"> with another task</span>
      </Link>
    </span>
  )
}

/** The attempts of a child. Each has its own brief, result and verdicts. */
function Attempts({ row, current, go }: { row: ReviewRow; current: TaskSummary | null; go: GoInDesk }) {
  return (
    <nav className={styles.attempts} aria-label="Attempts">
      {row.attempts.map(({ id, number }, index) => (
        <button
          key={id}
          type="button"
          className={styles.attempt}
          aria-current={id === current?.id ? "true" : undefined}
          title={`Task #${number}`}
          onClick={() => go({ task: row.task?.id ?? null, attempt: id === row.task?.id ? null : id })}
        >
          Attempt {index + 1}
        </button>
      ))}
    </nav>
  )
}
