import type { TaskSummary } from "@docket/core/schema"
import { ChevronRight } from "lucide-react"
import { agentHue } from "../../theme/agent-hue.ts"
import { Elapsed } from "../../ui/elapsed.tsx"
import { TaskGlyph } from "../task/task-glyph.tsx"
import { taskStateLabel } from "../task/task-state.ts"
import { LaneDetail } from "../tools/lane-detail.tsx"
import { laneLabels } from "../tools/lane-labels.ts"
import { LaneLine, TaskTime, taskFigure } from "../tools/lane-line.tsx"
import { LaneTrack } from "../tools/lane-track.tsx"
import styles from "../tools/lanes.module.css"
import { type LaneLayout, layOutLanes } from "../tools/lay-out-lanes.ts"
import { ParentLane } from "../tools/parent-lane.tsx"
import { type TaskLane, taskLanes } from "../tools/task-lanes.ts"
import { tasksOfParts } from "../tools/tasks-of-parts.ts"
import type { Row } from "../transcript/rows/row.ts"
import { rowLabel } from "../transcript/rows/row-label.ts"
import { childAddress } from "./share-address.ts"

interface SharedLanesProps {
  row: Extract<Row, { kind: "lanes" }>
  /** Tasks of the whole tree, by id. */
  tasks: Readonly<Record<string, TaskSummary>>
  secret: string
}

/** Parallel tasks as of now: links to their pages, with details that open without a script. */
export function SharedLanes({ row, tasks, secret }: SharedLanesProps) {
  const now = Date.now()
  const lanes = taskLanes(row.tasks, tasksOfParts(tasks, row.tasks), {})
  const spans = lanes.map((lane) => lane.spans)
  const layout = layOutLanes(spans, now, [row.parent])
  return (
    <div className={styles.block}>
      <div className={styles.head}>
        <span>{rowLabel(row)}</span>
        <span className={styles.elapsed}>
          <Elapsed start={layout.from} end={layout.until} />
        </span>
      </div>
      <ul aria-label={rowLabel(row)}>
        <li className={styles.lane} data-parent style={{ borderLeftColor: agentHue(row.agent) }}>
          <ParentLane agent={row.agent} layout={layout} spans={layout.lanes[0] ?? []} />
        </li>
        {lanes.map((lane, index) => (
          <SharedLane key={lane.partID} lane={lane} layout={layout} index={index + 1} now={now} secret={secret} />
        ))}
      </ul>
    </div>
  )
}

interface SharedLaneProps {
  lane: TaskLane
  layout: LaneLayout
  /** Its place among the lanes of the layout, where the parent has 0. */
  index: number
  now: number
  secret: string
}

function SharedLane({ lane, layout, index, now, secret }: SharedLaneProps) {
  const { task, partID } = lane
  const line = (
    <>
      <span className="visually-hidden">
        {`${taskStateLabel[task.state]}: ${laneLabels(task.times, lane.spans, now).join(", ")}`}
      </span>
      <LaneLine
        icon={<TaskGlyph state={task.state} />}
        title={task.description}
        agent={task.agent}
        track={<LaneTrack layout={layout} spans={layout.lanes[index] ?? []} agent={task.agent} />}
        time={<TaskTime task={task} />}
        figure={taskFigure(task)}
      />
    </>
  )
  return (
    <li
      // The row itself has the id of its first task.
      id={index === 1 ? undefined : partID}
      className={styles.lane}
      data-opens={task.sessionID !== null}
      style={{ borderLeftColor: agentHue(task.agent) }}
    >
      {task.sessionID === null ? (
        line
      ) : (
        <a className={styles.open} href={childAddress(secret, task.sessionID)}>
          {line}
        </a>
      )}
      <details className={styles.more}>
        <summary className={styles.toggle} aria-label={`Details of ${task.description}`}>
          <ChevronRight size={13} aria-hidden />
        </summary>
        <LaneDetail lane={lane} now={now} />
      </details>
    </li>
  )
}
