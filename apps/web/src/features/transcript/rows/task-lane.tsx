"use client"

import type { ToolPart } from "@docket/core/schema"
import { useEffect, useState } from "react"
import { agentHue } from "../../../theme/agent-hue.ts"
import { formatDuration } from "../../../ui/format.ts"
import { formatCount } from "../../../ui/format-count.ts"
import { laneBars } from "../../tools/lane-bars.ts"
import { readTask } from "../../tools/read-task.ts"
import styles from "../../tools/task.module.css"
import { withLiveTask } from "../../tools/with-live-task.ts"
import { taskOfPart, useLiveTasks } from "./live-task.ts"

/** How often running bars grow (ms). */
const step = 1_000

/** Tasks that ran side by side, as bars over their common time. */
export function TaskLane({ tasks: parts }: { tasks: readonly ToolPart[] }) {
  const [now, setNow] = useState(() => Date.now())
  const live = useLiveTasks()
  const tasks = parts.map((part) => ({
    id: part.id,
    task: withLiveTask(readTask(part), live && taskOfPart(live, part)),
  }))
  const lane = laneBars(tasks, now)
  useEffect(() => {
    if (!lane.running) return
    const timer = setInterval(() => setNow(Date.now()), step)
    return () => clearInterval(timer)
  }, [lane.running])
  if (lane.bars.length === 0) return null
  return (
    <div className={styles.lane}>
      <div className={styles.laneHead}>
        <span>{formatCount(tasks.length, "task")} side by side</span>
        <span className="tabular">{formatDuration(lane.elapsed)}</span>
      </div>
      {lane.bars.map((bar) => (
        <div key={bar.id} className={styles.laneTrack} title={bar.label}>
          <div
            className={styles.laneBar}
            data-running={bar.running}
            style={{ left: `${bar.start}%`, width: `${bar.width}%`, background: agentHue(bar.agent) }}
          />
        </div>
      ))}
    </div>
  )
}
