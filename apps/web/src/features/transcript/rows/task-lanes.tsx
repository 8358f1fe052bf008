"use client"

import { formatUsage } from "@docket/core/usage"
import { taskStatus } from "@docket/core/work-status"
import { ChevronRight } from "lucide-react"
import { useMemo } from "react"
import { agentHue } from "../../../theme/agent-hue.ts"
import { Elapsed } from "../../../ui/elapsed.tsx"
import { statusLabel } from "../../../ui/status.ts"
import * as roles from "../../keyboard/grid-roles.ts"
import { useGridKeys } from "../../keyboard/use-grid-keys.ts"
import { RetryNote } from "../../task/retry-note.tsx"
import type { RetryStatus } from "../../task/retry-text.ts"
import { TaskGlyph } from "../../task/task-glyph.tsx"
import { taskStateLabel } from "../../task/task-state.ts"
import { LaneDetail } from "../../tools/lane-detail.tsx"
import { laneLabels } from "../../tools/lane-labels.ts"
import { LaneLine, TaskTime, taskFigure } from "../../tools/lane-line.tsx"
import { LaneTrack } from "../../tools/lane-track.tsx"
import styles from "../../tools/lanes.module.css"
import { type LaneLayout, type LaneSpan, layOutLanes } from "../../tools/lay-out-lanes.ts"
import { ParentLane } from "../../tools/parent-lane.tsx"
import { readTask } from "../../tools/read-task.ts"
import { type TaskLane, taskLanes } from "../../tools/task-lanes.ts"
import { useLastingLanes } from "../../tools/use-lasting-lanes.ts"
import { useRunningSteps } from "../../tools/use-running-steps.ts"
import { useAsking, useIsAway, useLiveTasks, useRetry, useTaskStore } from "./live-task.ts"
import { ReviewLink } from "./review-link.tsx"
import type { Row } from "./row.ts"
import { rowLabel } from "./row-label.ts"
import { ToBackground } from "./to-background.tsx"
import { useTranscriptActions } from "./transcript-actions.ts"

type LanesRow = Extract<Row, { kind: "lanes" }>

/** Parallel tasks: the parent's lane, and a lane for each task, which a press opens. */
export function TaskLanes({ row }: { row: LanesRow }) {
  const { setOpen } = useTranscriptActions()
  const { lanes, layout, drawnAt } = useLanes(row)
  const grid = useGridKeys()
  useLastingLanes(grid, layout, drawnAt)
  const allOpen = row.open.length === row.tasks.length
  const toggleAll = () => {
    for (const { id } of row.tasks) setOpen(id, !allOpen)
  }
  return (
    <div className={styles.block} data-waits={lanes.some((lane) => lane.needsYou)}>
      <div className={styles.head}>
        <span>{rowLabel(row)}</span>
        <span className={styles.elapsed}>
          <Elapsed start={layout.from} end={layout.until} />
        </span>
      </div>
      <Toggle label="Details of all tasks" open={allOpen} onToggle={toggleAll} />
      <div {...roles.grid(rowLabel(row))} ref={grid}>
        <div {...roles.row} className={styles.lane} data-parent style={{ borderLeftColor: agentHue(row.agent) }}>
          <div {...roles.gridCell}>
            <ParentLane agent={row.agent} layout={layout} spans={layout.lanes[0] ?? []} />
          </div>
        </div>
        {lanes.map((lane, index) => (
          <Lane
            key={lane.partID}
            lane={lane}
            layout={layout}
            spans={layout.lanes[index + 1] ?? []}
            now={drawnAt}
            open={row.open.includes(lane.partID)}
          />
        ))}
      </div>
      {row.step === null ? null : (
        <span className="visually-hidden">{formatUsage(row.step.tokens, row.step.cost)} for this step</span>
      )}
    </div>
  )
}

/** Computed again only when one of its own tasks or requests changes, not for other changes in the tree. */
function useLanes({ tasks, parent }: LanesRow) {
  const records = useLiveTasks(tasks)
  const sessions = useMemo(
    () => tasks.flatMap((part) => records[part.id]?.sessionID ?? readTask(part).sessionID ?? []),
    [tasks, records],
  )
  const asking = useAsking(sessions)
  return useMemo(() => {
    const drawnAt = Date.now()
    const lanes = taskLanes(tasks, records, asking)
    return {
      lanes,
      drawnAt,
      layout: layOutLanes(
        lanes.map(({ spans }) => spans),
        drawnAt,
        [parent],
      ),
    }
  }, [tasks, parent, records, asking])
}

interface LaneProps {
  lane: TaskLane
  layout: LaneLayout
  spans: readonly LaneSpan[]
  now: number
  open: boolean
}

function Lane({ lane, layout, spans, now, open }: LaneProps) {
  const { openSession, setOpen } = useTranscriptActions()
  const { task, needsYou, partID } = lane
  const { sessionID } = task
  const retry = useRetry(sessionID)
  const isAway = useIsAway()
  const state = needsYou
    ? "needs you"
    : taskStatus(task.state, isAway) === "away"
      ? statusLabel.away.toLowerCase()
      : retry
        ? "retrying"
        : taskStateLabel[task.state].toLowerCase()
  const timesText = laneLabels(task.times, lane.spans, now).join(", ")
  return (
    <div
      {...roles.row}
      className={styles.lane}
      data-lane
      data-opens={sessionID !== null}
      style={{ borderLeftColor: agentHue(task.agent) }}
    >
      <div {...roles.gridCell}>
        <button
          type="button"
          data-cell
          tabIndex={-1}
          className={styles.open}
          disabled={sessionID === null}
          title={timesText}
          onClick={() => sessionID !== null && openSession(sessionID)}
        >
          <span className="visually-hidden">{`Open task ${task.description}, ${state}: ${timesText}`}</span>
          <LaneLine
            icon={<TaskGlyph state={task.state} needsYou={needsYou} isAway={isAway} />}
            title={task.description}
            agent={task.agent}
            note={retry === null ? null : <RetryNote status={retry} className={styles.retry} />}
            track={<LaneTrack layout={layout} spans={spans} agent={task.agent} />}
            time={<TaskTime task={task} />}
            figure={taskFigure(task)}
          />
        </button>
      </div>
      <div {...roles.gridCell}>
        <Toggle cell label={`Details of ${task.description}`} open={open} onToggle={() => setOpen(partID, !open)} />
        {open ? <Detail lane={lane} now={now} retry={retry} /> : null}
      </div>
    </div>
  )
}

function Detail({ lane, now, retry }: { lane: TaskLane; now: number; retry: RetryStatus | null }) {
  const { record } = lane
  const running = useMemo(() => (record?.state === "running" ? [record] : []), [record])
  const steps = useRunningSteps(useTaskStore(), running)
  const blocking = record?.state === "running" && record.mode === "blocking"
  const reviewable = record !== null && record.state !== "queued" && record.state !== "running"
  const action = blocking ? (
    <ToBackground id={record.id} number={record.number} className={styles.background ?? ""} />
  ) : reviewable ? (
    <ReviewLink task={record} className={styles.background ?? ""} />
  ) : null
  const step = record ? steps.get(record.sessionID) : undefined
  return <LaneDetail lane={lane} now={now} step={step} retry={retry} action={action} />
}

interface ToggleProps {
  label: string
  open: boolean
  /** The button is a cell of a grid, which handles its arrow keys. */
  cell?: boolean
  onToggle(): void
}

function Toggle({ label, open, cell = false, onToggle }: ToggleProps) {
  return (
    <button
      type="button"
      className={styles.toggle}
      aria-label={label}
      aria-expanded={open}
      onClick={onToggle}
      {...(cell && { "data-cell": true, tabIndex: -1 })}
    >
      <ChevronRight size={13} aria-hidden />
    </button>
  )
}
