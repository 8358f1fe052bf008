import type { UnjudgedTask } from "@docket/core"
import { taskTimes } from "@docket/core/task-times"
import { formatUsage, totalTokens } from "@docket/core/usage"
import { taskStatus } from "@docket/core/work-status"
import Link from "next/link"
import type { ReactNode } from "react"
import { TaskClock } from "../../../features/task/task-clock.tsx"
import { formatCount } from "../../../ui/format-count.ts"
import { RelativeTime } from "../../../ui/relative-time.tsx"
import { StatusGlyph } from "../../../ui/status-glyph.tsx"
import styles from "./inbox.module.css"

/** A task that waits for a verdict: its title, usage and changes. Links to its review. */
export function TaskRow({ item: { task, title }, select }: { item: UnjudgedTask; select?: ReactNode }) {
  const tokens = totalTokens(task.usage.tokens)
  const used = tokens > 0 ? formatUsage(tokens, task.usage.cost) : null
  const started = task.time.started !== null
  return (
    <li className={styles.item}>
      {select}
      <Link href={`/review/${task.rootID}?task=${task.id}`} className={styles.row}>
        <StatusGlyph status={taskStatus(task.state)} size={16} />
        <span className={styles.text}>
          <span className={styles.title}>{task.description}</span>
          <span className={styles.meta}>
            {[task.agent, title].filter((fact) => fact !== null).join(" · ")}
            {started ? (
              <>
                {" · "}
                <TaskClock times={taskTimes(task)} />
              </>
            ) : null}
            {used === null ? null : ` · ${used}`}
          </span>
        </span>
        <span className={styles.end}>
          <Size size={task.size} />
          <span className={styles.time}>
            <RelativeTime time={task.time.ended ?? task.waited?.since ?? task.time.created} />
          </span>
        </span>
      </Link>
    </li>
  )
}

function Size({ size }: { size: UnjudgedTask["task"]["size"] }) {
  if (size === undefined || size.files === 0) return null
  const { added, removed } = size
  return (
    <span className={styles.size}>
      {formatCount(size.files, "file")}
      {added + removed > 0 ? (
        <>
          {" "}
          <span className={styles.added}>
            +{added}
            <span className="visually-hidden"> lines added</span>
          </span>{" "}
          <span className={styles.removed}>
            −{removed}
            <span className="visually-hidden"> lines removed</span>
          </span>
        </>
      ) : null}
    </span>
  )
}
