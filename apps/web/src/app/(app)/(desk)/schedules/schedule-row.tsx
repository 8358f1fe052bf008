"use client"

import type { Schedule } from "@docket/core/schema"
import { Button } from "@mantine/core"
import { Ban, CalendarClock, CircleCheck, CirclePause, CircleX } from "lucide-react"
import Link from "next/link"
import { useState } from "react"
import { Can } from "../../../../shell/me.tsx"
import entries from "../../../../ui/entries.module.css"
import { formatCount } from "../../../../ui/format-count.ts"
import { ByPerson } from "../../../../ui/person.tsx"
import { RelativeTime } from "../../../../ui/relative-time.tsx"
import { formatMoment } from "./format-moment.ts"
import { ScheduleRuns } from "./schedule-runs.tsx"
import styles from "./schedules.module.css"
import { useScheduleActions } from "./use-schedule-actions.ts"
import { waitsSince } from "./waits-since.ts"

const statusLabels: Record<Schedule["status"], string> = {
  active: "Active",
  paused: "Paused",
  completed: "Completed",
  failed: "Failed",
  canceled: "Cancelled",
}

const glyphs = {
  active: CalendarClock,
  paused: CirclePause,
  completed: CircleCheck,
  failed: CircleX,
  canceled: Ban,
} satisfies Record<Schedule["status"], unknown>

/** One schedule. It opens to its prompt, runs and actions. */
export function ScheduleRow({ schedule }: { schedule: Schedule }) {
  const [open, setOpen] = useState(false)
  const Glyph = glyphs[schedule.status]
  return (
    <li className={entries.item}>
      <button type="button" className={entries.head} aria-expanded={open} onClick={() => setOpen(!open)}>
        <span className={styles.glyph} data-status={schedule.status}>
          <Glyph size={15} role="img" aria-label={statusLabels[schedule.status]} />
        </span>
        <span className={entries.text}>
          <span className={styles.title}>{schedule.message}</span>
          <span className={entries.meta}>
            {schedule.phrase}
            {schedule.runCount > 0 ? ` · ${formatCount(schedule.runCount, "run")}` : ""}
          </span>
        </span>
        <span className={styles.next}>
          <Next schedule={schedule} />
        </span>
      </button>
      {open ? <Opened schedule={schedule} /> : null}
    </li>
  )
}

function Next({ schedule }: { schedule: Schedule }) {
  const { status, nextFireAt, lastRunAt } = schedule
  const since = waitsSince(schedule, Date.now())
  if (since !== null) return <>waits since {formatMoment(since, Date.now())}</>
  if (status === "active" && nextFireAt !== null) return <>next {formatMoment(nextFireAt, Date.now())}</>
  if (status !== "active" || lastRunAt === null) return <>{statusLabels[status].toLowerCase()}</>
  return (
    <>
      ran <RelativeTime time={lastRunAt} />
    </>
  )
}

const missedMessages: Record<Schedule["missed"], string> = {
  skip: "runs missed while Docket is off are left out",
  once: "runs missed while Docket is off are made up for once",
  all: "each run missed while Docket is off is made up for",
}

/** Whether the row's header truncates the message. */
function isLong(message: string): boolean {
  return message.length > 70 || message.includes("\n")
}

function Opened({ schedule }: { schedule: Schedule }) {
  const { status } = schedule
  const actions = useScheduleActions(schedule)
  const live = status === "active" || status === "paused"
  const waits = waitsSince(schedule, Date.now()) !== null
  return (
    <div className={entries.opened}>
      {isLong(schedule.message) ? <p className={entries.message}>{schedule.message}</p> : null}
      <p className={entries.meta}>
        #{schedule.number}
        {schedule.agent === null ? "" : ` · @${schedule.agent}`} ·{" "}
        {schedule.sessionID === null ? (
          "a new session each time"
        ) : (
          <Link href={`/s/${schedule.sessionID}`}>always in this session</Link>
        )}{" "}
        · {missedMessages[schedule.missed]} <ByPerson by={schedule.by} />
      </p>
      {waits ? (
        <p className={entries.meta}>
          It is due, and begins when its last run has ended and a worker with its project is there.
        </p>
      ) : null}
      <Can do="schedule.edit">
        <div className={entries.actions}>
          <Button loading={actions.busy} onClick={actions.runNow}>
            Run now
          </Button>
          {status === "active" ? <Button onClick={() => actions.setStatus("paused")}>Pause</Button> : null}
          {status === "paused" ? <Button onClick={() => actions.setStatus("active")}>Resume</Button> : null}
          {live ? (
            <Button variant="subtle" color="red" onClick={() => actions.setStatus("canceled")}>
              Cancel schedule
            </Button>
          ) : (
            <Button variant="subtle" color="red" onClick={actions.remove}>
              Delete
            </Button>
          )}
        </div>
      </Can>
      <ScheduleRuns scheduleID={schedule.id} />
    </div>
  )
}
