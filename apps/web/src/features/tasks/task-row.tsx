"use client"

import { formatDuration } from "@docket/core/duration"
import type { TaskSummary } from "@docket/core/schema"
import { taskTimes } from "@docket/core/task-times"
import { ClipboardCheck, Layers, MessageSquare, PanelBottomClose, RotateCcw, Square } from "lucide-react"
import { memo, useState } from "react"
import { useMe } from "../../shell/me.tsx"
import { useGo } from "../../shell/use-go.ts"
import { agentHue } from "../../theme/agent-hue.ts"
import { formatCount } from "../../ui/format-count.ts"
import { IconButton } from "../../ui/icon-button.tsx"
import { ByPerson } from "../../ui/person.tsx"
import { plainText } from "../../ui/plain-text.ts"
import { TextWithCode } from "../../ui/text-with-code.tsx"
import { CommentCount } from "../commenting/comment-count.tsx"
import * as roles from "../keyboard/grid-roles.ts"
import { ViewerMarks } from "../presence/viewer-marks.tsx"
import { RetryNote } from "../task/retry-note.tsx"
import type { RetryStatus } from "../task/retry-text.ts"
import { TaskClock } from "../task/task-clock.tsx"
import { TaskGlyph } from "../task/task-glyph.tsx"
import { hasEnded, taskStateLabel } from "../task/task-state.ts"
import { useTaskActions } from "../task/use-task-actions.ts"
import { Answers } from "../tools/answers.tsx"
import { TaskBranch } from "./task-branch.tsx"
import { TaskMessageForm } from "./task-message-form.tsx"
import { TaskTrack } from "./task-track.tsx"
import { TaskUsage, usageText } from "./task-usage.tsx"
import styles from "./tasks.module.css"

interface TaskRowProps {
  task: TaskSummary
  /** Position in its parent's queue, from 1. */
  place: number | undefined
  /** The task's child session is on screen. */
  current: boolean
  needsYou: boolean
  /** The work of its tree waits for a host. */
  isAway: boolean
  /** Number of the task that delegated it; null when the root did. */
  under: number | null
  /** What the child does now. */
  step: string | undefined
  /** Set while its provider failed and the call is retried. */
  retry: RetryStatus | null
  onOpenSession(sessionID: string): void
}

/** One task: its activity, brief, usage and actions. */
export const TaskRow = memo(function TaskRow(props: TaskRowProps) {
  const { task, needsYou, isAway } = props
  const [writing, setWriting] = useState(false)
  const actions = useTaskActions(task)
  const ended = hasEnded(task.state)
  const { can } = useMe()
  const failure = ended && task.state !== "cancelled" ? task.error : null
  const takesMessage = task.state === "running" || (ended && writing)
  return (
    <div
      {...roles.row}
      className={styles.row}
      data-current={props.current}
      style={{ borderLeftColor: agentHue(task.agent) }}
    >
      <div {...roles.gridCell}>
        <button
          type="button"
          data-cell
          tabIndex={-1}
          className={styles.open}
          aria-current={props.current ? "page" : undefined}
          onClick={() => props.onOpenSession(task.sessionID)}
        >
          <TaskGlyph state={task.state} needsYou={needsYou} isAway={isAway} />
          <span className={styles.number}>#{task.number}</span>
          <span className={styles.name}>
            <TextWithCode text={task.description} />
          </span>
          <ViewerMarks sessionID={task.sessionID} />
          <CommentCount id={task.sessionID} />
          <span className={styles.time}>
            <Time task={task} />
          </span>
        </button>
      </div>
      <div {...roles.gridCell} className={styles.detail}>
        <Activity {...props} />
        <RowActions task={task} actions={actions} onWrite={() => setWriting(!writing)} writing={writing} />
      </div>
      <div {...roles.gridCell} className={styles.more}>
        <TaskTrack task={task} />
        {task.state === "running" ? <TaskUsage task={task} /> : null}
        {task.worktree && task.state !== "queued" ? (
          <TaskBranch
            worktree={task.worktree}
            number={task.number}
            busy={actions.busy}
            onMerge={can("merge") ? actions.merge : null}
          />
        ) : null}
        {failure ? (
          <p className={styles.error}>
            <TextWithCode text={failure.message} />
          </p>
        ) : null}
        {task.state === "cancelled" && task.error?.by !== undefined ? (
          <p className={styles.note}>
            Cancelled <ByPerson by={task.error.by} />
          </p>
        ) : null}
        <Outcome task={task} />
        <Answers task={task} />
        {can("prompt") && takesMessage ? (
          <TaskMessageForm
            number={task.number}
            agent={task.agent}
            ended={ended}
            onSend={ended ? actions.resume : actions.message}
            onClose={() => setWriting(false)}
          />
        ) : null}
      </div>
    </div>
  )
})

/** The beginning of a completed task's answer, how long it waited and how many of its calls failed. */
function Outcome({ task }: { task: TaskSummary }) {
  const resultStart = task.state === "completed" && task.result ? plainText(task.result.slice(0, shownText)) : ""
  const times = taskTimes(task)
  const { ms, since } = times.waited
  const isShortWait = ms < shortWait && since === null
  const failedCalls = (task.moments ?? []).filter(({ kind }) => kind === "error").length
  return (
    <>
      {resultStart === "" ? null : <p className={styles.found}>{resultStart}</p>}
      {isShortWait && failedCalls === 0 ? null : (
        <p className={styles.note}>
          {isShortWait ? null : <TaskClock times={times} />}
          {failedCalls === 0 ? null : <span>{formatCount(failedCalls, "call")} failed</span>}
        </p>
      )}
    </>
  )
}

/** Shorter waits are not shown: every task is queued briefly, even when it can start at once (ms). */
const shortWait = 1_000

/** More characters than two lines can show (UTF-16 units). */
const shownText = 300

/** How long it took; while it runs, also its time limit. */
function Time({ task }: { task: TaskSummary }) {
  const { state, time, limits } = task
  if (time.started === null) return null
  const limit = hasEnded(state) || limits.wallClock === null ? "" : ` of ${formatDuration(limits.wallClock)}`
  return (
    <>
      <TaskClock times={taskTimes(task)} short />
      {limit}
    </>
  )
}

/** The agent and its activity: the current call, the position in the queue, or the result. */
function Activity({ task, needsYou, place, under, step, retry }: TaskRowProps) {
  const { state } = task
  const background = state === "running" && task.mode === "background"
  const { can } = useMe()
  return (
    <>
      <span className={styles.activity}>
        <span className={styles.agent}>@{task.agent}</span>
        {under === null ? null : <> under #{under}</>}
        {needsYou ? (
          <span className={styles.needs}> waits for {can("answer") ? "your" : "an"} answer</span>
        ) : state === "running" && retry !== null ? (
          <>
            {" "}
            <RetryNote status={retry} className={styles.retry} />
          </>
        ) : state === "running" && step !== undefined ? (
          <code className={styles.step}>{step}</code>
        ) : state === "queued" ? (
          ` ${place === 1 ? "next in the queue" : `number ${place} in the queue`}`
        ) : state === "running" || state === "completed" ? null : (
          ` ${taskStateLabel[state].toLowerCase()}`
        )}
      </span>
      {background ? (
        <span className={styles.background} title="In the background: the parent does not wait for it">
          <Layers size={12} aria-hidden />
          <span className="visually-hidden">in the background</span>
        </span>
      ) : null}
      {hasEnded(state) ? <span className={styles.figures}>{usageText(task)}</span> : null}
    </>
  )
}

interface RowActionsProps {
  task: TaskSummary
  actions: ReturnType<typeof useTaskActions>
  writing: boolean
  onWrite(): void
}

function RowActions({ task, actions, writing, onWrite }: RowActionsProps) {
  const cell = { "data-cell": true, tabIndex: -1, disabled: actions.busy, className: styles.action ?? "" }
  const size = 13
  const isAwaited = task.state === "running" && task.mode === "blocking"
  const go = useGo()
  const { can } = useMe()
  return (
    <span className={styles.actions}>
      {can("prompt") && hasEnded(task.state) ? (
        <IconButton label={`Go on with task ${task.number}`} aria-expanded={writing} {...cell} onClick={onWrite}>
          <MessageSquare size={size} />
        </IconButton>
      ) : null}
      {task.time.started === null ? null : (
        <IconButton
          label={`Review task ${task.number}`}
          {...cell}
          onClick={() => go(`/review/${task.rootID}?task=${task.id}`)}
        >
          <ClipboardCheck size={size} />
        </IconButton>
      )}
      {can("prompt") && isAwaited ? (
        <IconButton label={`Send task ${task.number} to the background`} {...cell} onClick={actions.background}>
          <PanelBottomClose size={size} />
        </IconButton>
      ) : null}
      {!can("prompt") ? null : hasEnded(task.state) ? (
        <IconButton label={`Run task ${task.number} again`} {...cell} onClick={actions.retry}>
          <RotateCcw size={size} />
        </IconButton>
      ) : (
        <IconButton label={`Cancel task ${task.number}`} {...cell} onClick={actions.cancel}>
          <Square size={size - 2} strokeWidth={2.5} />
        </IconButton>
      )}
    </span>
  )
}
