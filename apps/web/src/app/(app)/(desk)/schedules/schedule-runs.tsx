"use client"

import { useTRPC } from "@docket/client/react"
import { formatDuration } from "@docket/core/duration"
import type { ScheduleRun } from "@docket/core/schema"
import { useQuery } from "@tanstack/react-query"
import Link from "next/link"
import entries from "../../../../ui/entries.module.css"
import { plainText } from "../../../../ui/plain-text.ts"
import { SkeletonRows } from "../../../../ui/skeleton-rows.tsx"
import type { Status } from "../../../../ui/status.ts"
import { StatusGlyph } from "../../../../ui/status-glyph.tsx"
import { formatMoment } from "./format-moment.ts"
import styles from "./schedules.module.css"

/** Maximum number of listed runs; the newest are shown. */
const limit = 20

const statusOf: Record<ScheduleRun["status"], Status> = { running: "running", succeeded: "done", failed: "failed" }

/** The results of a schedule's last runs, with links to their sessions. */
export function ScheduleRuns({ scheduleID }: { scheduleID: string }) {
  const trpc = useTRPC()
  const runs = useQuery(trpc.schedule.runs.queryOptions({ schedule: scheduleID, limit }))
  if (runs.isPending) return <SkeletonRows count={2} label="Loading runs" />
  if (runs.isLoadingError) return <p className={entries.problem}>{runs.error.message}</p>
  if (runs.data.length === 0) return <p className={entries.meta}>It has not run yet.</p>
  return (
    <section>
      <h3 className={styles.runsHead}>Runs</h3>
      <ul aria-label="Runs">
        {runs.data.map((run) => (
          <li key={run.id} className={styles.run}>
            <StatusGlyph status={statusOf[run.status]} size={13} />
            <span className={styles.runTime}>{formatMoment(run.startedAt, Date.now())}</span>
            <span className={styles.summary} data-failed={run.error !== null}>
              {run.error ?? (plainText(run.summary) || (run.status === "running" ? "Running" : "No answer"))}
            </span>
            {run.completedAt === null ? null : (
              <span className={entries.meta}>{formatDuration(run.completedAt - run.startedAt)}</span>
            )}
            {run.sessionID === null ? null : (
              <Link className={styles.runLink} href={`/s/${run.sessionID}`}>
                Open
                <span className="visually-hidden"> the session of this run</span>
              </Link>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}
