"use client"

import type { TaskSummary } from "@docket/core/schema"
import { type Counter, taskTimes } from "@docket/core/task-times"
import { Button } from "@mantine/core"
import { useEffect, useState } from "react"
import { agentHue } from "../../theme/agent-hue.ts"
import { Elapsed } from "../../ui/elapsed.tsx"
import { formatDuration } from "../../ui/format.ts"
import { Words } from "../../ui/words.tsx"
import { hasEnded, taskStateLabel } from "../task/task-state.ts"
import { type LaneSpan, layOutLanes } from "./lay-out-lanes.ts"
import styles from "./tasks.module.css"

/** How often running bars grow (ms). */
const step = 1_000
/** Heights in CSS px. */
const laneHeight = 9
const barHeight = 6
const clock = new Intl.DateTimeFormat("en", { hour: "2-digit", minute: "2-digit", second: "2-digit", hour12: false })
/** The table shows this many tasks, the newest first. */
const tableRows = 100

interface LaneChartProps {
  /** At least one: a chart of none has no times. */
  tasks: readonly TaskSummary[]
  onOpenSession(sessionID: string): void
}

/** The tasks of a tree over time: how many at once, what waited, how each ended. */
export function LaneChart({ tasks, onOpenSession }: LaneChartProps) {
  const [now, setNow] = useState(() => Date.now())
  const [table, setTable] = useState(false)
  const live = tasks.some((task) => !hasEnded(task.state))
  useEffect(() => {
    if (!live) return
    const timer = setInterval(() => setNow(Date.now()), step)
    return () => clearInterval(timer)
  }, [live])
  const chart = layOutLanes(tasks, Math.max(now, ...tasks.slice(-1).map((task) => task.time.created)))
  const height = chart.lanes * laneHeight
  const first = Math.min(...tasks.map(({ time }) => time.created))
  const last = Math.max(...tasks.map(({ time }) => time.ended ?? now))
  return (
    <figure className={styles.chart}>
      <figcaption className={styles.chartHead}>
        <span className={styles.chartTitle}>Timeline</span>
        <span className="tabular">{formatDuration(chart.busy)}</span>
        <Button
          variant="subtle"
          color="gray"
          className={styles.textButton ?? ""}
          aria-expanded={table}
          onClick={() => setTable(!table)}
        >
          {table ? "Hide table" : "As a table"}
        </Button>
      </figcaption>
      <svg
        className={styles.lanes}
        viewBox={`0 0 100 ${Math.max(height, laneHeight)}`}
        style={{ height: Math.min(height, maxHeight) }}
        preserveAspectRatio="none"
        aria-hidden
        onClick={(event) => {
          const span = event.target instanceof Element ? event.target.closest<SVGElement>("[data-session]") : null
          if (span?.dataset.session) onOpenSession(span.dataset.session)
        }}
      >
        {chart.folds.map((x) => (
          <line key={x} className={styles.fold} x1={x} x2={x} y1={0} y2={height} />
        ))}
        {chart.spans.map((span) => (
          <Span key={span.id} span={span} gutter={chart.lanes === chart.spans.length} />
        ))}
      </svg>
      <p className={styles.axis}>
        <span>{clock.format(first)}</span>
        <span>{live ? "now" : clock.format(last)}</span>
      </p>
      {table ? <LaneTable tasks={tasks} /> : null}
    </figure>
  )
}

/** Many lanes are drawn thinner rather than higher than this. */
const maxHeight = 120

function Span({ span, gutter }: { span: LaneSpan; gutter: boolean }) {
  const y = span.lane * laneHeight + (laneHeight - barHeight) / 2
  const bar = { y, height: barHeight }
  // A call of a millisecond still shows.
  const width = span.ran ? Math.max(0.6, span.ran.width) : 0
  return (
    <g data-session={span.sessionID} className={styles.span}>
      <title>{`${span.label}, ${taskStateLabel[span.state].toLowerCase()}`}</title>
      {span.waited ? <rect {...bar} {...span.waited} className={styles.waitedBar} /> : null}
      {span.ran ? <rect {...bar} x={span.ran.x} width={width} className={styles.bar} data-state={span.state} /> : null}
      {gutter ? <rect {...bar} x={span.waited?.x ?? 0} width={0.7} fill={agentHue(span.agent)} /> : null}
    </g>
  )
}

function LaneTable({ tasks }: { tasks: readonly TaskSummary[] }) {
  const shown = [...tasks].sort((a, b) => b.number - a.number).slice(0, tableRows)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
    <section className={styles.tableBox} aria-label="Times of all tasks" tabIndex={0}>
      <table className={styles.table}>
        <caption className="visually-hidden">How long each task waited and worked</caption>
        <thead>
          <tr>
            <th scope="col">Task</th>
            <th scope="col">State</th>
            <th scope="col">Waited</th>
            <th scope="col">Worked</th>
          </tr>
        </thead>
        <tbody>
          {shown.map((task) => (
            <LaneTableRow key={task.id} task={task} />
          ))}
        </tbody>
      </table>
      {tasks.length > shown.length ? <p className={styles.note}>The newest {tableRows} tasks.</p> : null}
    </section>
  )
}

function LaneTableRow({ task }: { task: TaskSummary }) {
  const { waited, worked } = taskTimes(task)
  return (
    <tr>
      <th scope="row">
        #{task.number} <Words text={task.description} />
      </th>
      <td>{taskStateLabel[task.state]}</td>
      <td>
        <Count counter={waited} />
      </td>
      <td>{worked === null ? "–" : <Count counter={worked} />}</td>
    </tr>
  )
}

function Count({ counter: { ms, since } }: { counter: Counter }) {
  return since === null ? <Elapsed start={0} end={ms} /> : <Elapsed start={since - ms} end={null} />
}
