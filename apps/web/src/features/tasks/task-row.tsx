"use client"

import type { TaskSummary } from "@docket/core/schema"
import { GitMerge, MessageSquare, PanelBottomClose, RotateCcw, Square } from "lucide-react"
import { memo, useState } from "react"
import { agentHue } from "../../theme/agent-hue.ts"
import { Elapsed } from "../../ui/elapsed.tsx"
import { formatCost, formatTokens } from "../../ui/format.ts"
import { IconButton } from "../../ui/icon-button.tsx"
import { totalTokens } from "../transcript/total-tokens.ts"
import * as roles from "./grid-roles.ts"
import { TaskBranch } from "./task-branch.tsx"
import { TaskGlyph } from "./task-glyph.tsx"
import { TaskLimits } from "./task-limits.tsx"
import { TaskMessageForm } from "./task-message-form.tsx"
import { hasEnded, taskStateLabel } from "./task-state.ts"
import styles from "./tasks.module.css"
import { useTaskActions } from "./use-task-actions.ts"

interface TaskRowProps {
  task: TaskSummary
  /** Place in its parent's queue from 1. */
  place: number | undefined
  /** The task's child session is on screen. */
  current: boolean
  needsYou: boolean
  /** Number of the task in which it was delegated; null when the root did it. */
  under: number | null
  onOpenSession(sessionID: string): void
}

/** One task: what it does, for whom, what it used, and what people can do with it. */
export const TaskRow = memo(function TaskRow(props: TaskRowProps) {
  const { task, needsYou } = props
  const [writing, setWriting] = useState(false)
  const actions = useTaskActions(task)
  const { time } = task
  return (
    <div
      {...roles.row}
      className={styles.row}
      data-current={props.current}
      style={{ borderLeftColor: agentHue(task.agent) }}
    >
      <div {...roles.gridCell} className={styles.cell}>
        <button
          type="button"
          data-cell
          tabIndex={-1}
          className={styles.open}
          aria-current={props.current ? "page" : undefined}
          onClick={() => props.onOpenSession(task.sessionID)}
        >
          <TaskGlyph state={task.state} needsYou={needsYou} />
          <span className={styles.number}>#{task.number}</span>
          <span className={styles.name}>{task.description}</span>
          <span className={styles.time}>
            {task.state === "queued" || time.started === null ? null : (
              <Elapsed start={time.started} end={hasEnded(task.state) ? (time.ended ?? time.started) : null} />
            )}
          </span>
        </button>
      </div>
      <div {...roles.gridCell} className={styles.detail}>
        <span className={styles.activity}>{activity(props)}</span>
        <span className={styles.figures}>{figures(task)}</span>
        <RowActions task={task} actions={actions} onWrite={() => setWriting(!writing)} writing={writing} />
      </div>
      <div {...roles.gridCell} className={styles.more}>
        {task.state === "running" ? <TaskLimits task={task} /> : null}
        {task.worktree ? <TaskBranch worktree={task.worktree} /> : null}
        {task.error && hasEnded(task.state) && task.state !== "cancelled" ? (
          <p className={styles.error}>{task.error.message}</p>
        ) : null}
        {writing && task.state === "running" ? (
          <TaskMessageForm number={task.number} onSend={actions.message} onClose={() => setWriting(false)} />
        ) : null}
      </div>
    </div>
  )
})

/** What it has used so far; nothing before it has. */
function figures({ usage }: TaskSummary): string {
  const tokens = totalTokens(usage.tokens)
  const words = tokens > 0 ? [`${formatTokens(tokens)} tokens`] : []
  return [...words, ...(usage.cost > 0 ? [formatCost(usage.cost)] : [])].join(" · ")
}

function activity({ task, needsYou, place, under }: TaskRowProps): string {
  const who = `@${task.agent}${under === null ? "" : ` under #${under}`}`
  if (needsYou) return "Waits for your answer"
  if (task.state === "queued") return `${who} · ${place === 1 ? "next in the queue" : `number ${place} in the queue`}`
  if (task.state === "running") return task.mode === "background" ? `${who} · in the background` : who
  return task.state === "completed" ? who : `${who} · ${taskStateLabel[task.state].toLowerCase()}`
}

interface RowActionsProps {
  task: TaskSummary
  actions: ReturnType<typeof useTaskActions>
  writing: boolean
  onWrite(): void
}

function RowActions({ task, actions, writing, onWrite }: RowActionsProps) {
  const cell = { "data-cell": true, tabIndex: -1, disabled: actions.busy, className: styles.action ?? "" }
  const mergeable = task.worktree?.state === "ready" || task.worktree?.state === "conflict"
  const size = 13
  return (
    <span className={styles.actions}>
      {task.state === "running" ? (
        <IconButton label={`Message task ${task.number}`} aria-expanded={writing} {...cell} onClick={onWrite}>
          <MessageSquare size={size} />
        </IconButton>
      ) : null}
      {task.state === "running" && task.mode === "blocking" ? (
        <IconButton label={`Send task ${task.number} to the background`} {...cell} onClick={actions.background}>
          <PanelBottomClose size={size} />
        </IconButton>
      ) : null}
      {mergeable ? (
        <IconButton label={`Merge the branch of task ${task.number}`} {...cell} onClick={actions.merge}>
          <GitMerge size={size} />
        </IconButton>
      ) : null}
      {hasEnded(task.state) ? (
        <IconButton label={`Run task ${task.number} again`} {...cell} onClick={actions.retry}>
          <RotateCcw size={size} />
        </IconButton>
      ) : (
        <IconButton label={`Cancel task ${task.number}`} {...cell} onClick={actions.cancel}>
          <Square size={size - 2} fill="currentColor" />
        </IconButton>
      )}
    </span>
  )
}
