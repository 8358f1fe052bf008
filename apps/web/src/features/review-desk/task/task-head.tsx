"use client"

import { useTRPC } from "@docket/client/react"
import type { TaskSummary } from "@docket/core/schema"
import { totalTokens } from "@docket/core/usage"
import { useQuery, useQueryClient } from "@tanstack/react-query"
import dynamic from "next/dynamic"
import Link from "next/link"
import { agentHue } from "../../../theme/agent-hue.ts"
import { CostTokens } from "../../../ui/cost-tokens.tsx"
import { Elapsed } from "../../../ui/elapsed.tsx"
import { ErrorState } from "../../../ui/error-state.tsx"
import { lazyPart } from "../../../ui/lazy-part.tsx"
import link from "../../../ui/link-button.module.css"
import { loadPart } from "../../../ui/load-part.ts"
import { StatusGlyph } from "../../../ui/status-glyph.tsx"
import heading from "../../../ui/task-heading.module.css"
import { Words } from "../../../ui/words.tsx"
import { BriefAndResultSpace } from "../../child/child-header-space.tsx"
import { hasEnded, taskStateLabel } from "../../task/task-state.ts"
import { useLater } from "../../tree/use-later.ts"
import type { GoInDesk } from "../desk/use-desk-place.ts"
import type { ReviewRow } from "./review-rows.ts"
import styles from "./task-head.module.css"

// What draws Markdown comes while the record is on its way.
const BriefAndResult = lazyPart(
  dynamic(() => loadPart(() => import("../../child/brief-and-result.tsx").then((it) => it.BriefAndResult))),
  { loading: () => <BriefAndResultSpace /> },
)

interface TaskHeadProps {
  row: ReviewRow
  /** The attempt that is shown; null for the root. */
  task: TaskSummary | null
  go: GoInDesk
}

/** What was delegated and what came back: the task as a reviewer first reads it. */
export function TaskHead({ row, task, go }: TaskHeadProps) {
  return (
    <header className={styles.head} style={{ borderLeftColor: agentHue(row.agent) }}>
      <div className={heading.title}>
        {row.status === null ? null : (
          <StatusGlyph status={row.status} label={task ? taskStateLabel[task.state] : ""} />
        )}
        <h1>
          {task === null ? null : <span className={styles.number}>#{task.number} </span>}
          <Words text={row.title || "Untitled"} />
        </h1>
        <span className={heading.agent}>@{row.agent}</span>
        {row.attempts.length > 1 ? <Attempts row={row} current={task} go={go} /> : null}
        {task === null ? null : <Figures task={task} />}
        {task === null ? null : (
          <Link className={link.link} href={`/review/${task.rootID}/compare?task=${task.id}`}>
            Compare<span className="visually-hidden"> with another task</span>
          </Link>
        )}
      </div>
      {task === null ? null : <BriefOf key={task.id} task={task} />}
    </header>
  )
}

function Figures({ task }: { task: TaskSummary }) {
  const { started, ended } = task.time
  return (
    <span className={heading.figures}>
      {started === null ? null : <Elapsed start={started} end={ended} />}
      <CostTokens cost={task.usage.cost} tokens={totalTokens(task.usage.tokens)} />
    </span>
  )
}

/** The times that a child was set to work: each has a brief, a result and verdicts of its own. */
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

/** A change of the record is read again after this (ms). */
const settleMs = 200

function BriefOf({ task }: { task: TaskSummary }) {
  const trpc = useTRPC()
  const client = useQueryClient()
  const options = trpc.task.get.queryOptions({ taskID: task.id })
  const record = useQuery(options)
  // The tree tells of tasks without their long texts.
  useLater(
    `${task.state} ${task.result}`,
    settleMs,
    () => void client.invalidateQueries({ queryKey: options.queryKey }),
  )
  if (record.isLoadingError) {
    return (
      <ErrorState
        title="The brief cannot be shown"
        message={record.error.message}
        onRetry={() => void record.refetch()}
      />
    )
  }
  if (record.data === undefined) return <BriefAndResultSpace />
  const { prompt, result, error } = record.data
  return <BriefAndResult prompt={prompt} result={result ?? error?.message ?? null} pending={pendingWords(task)} />
}

function pendingWords({ state }: TaskSummary): string {
  return hasEnded(state) ? "Stopped before it returned." : "Not yet."
}
