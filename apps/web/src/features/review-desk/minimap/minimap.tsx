"use client"

import { taskTimes } from "@docket/core/task-times"
import { type CSSProperties, type MouseEvent, useRef } from "react"
import { formatClock } from "../../../ui/format.ts"
import { formatCount } from "../../../ui/format-count.ts"
import { laneLabels } from "../../tools/lane-labels.ts"
import { LaneTrack, viewBox } from "../../tools/lane-track.tsx"
import { useLastingLanes } from "../../tools/use-lasting-lanes.ts"
import type { DeskNavigation } from "../desk/use-desk-ways.ts"
import type { ReviewRow, ReviewRows } from "../task/review-rows.ts"
import styles from "./minimap.module.css"
import { type MinimapLane, targetAt } from "./minimap-lanes.ts"
import { useMinimap } from "./use-minimap.ts"

interface MinimapProps {
  rootID: string
  rows: ReviewRows
  /** The shown session. */
  current: string | null
  navigation: Pick<DeskNavigation, "openRow" | "openPart" | "openTime">
}

/** Height of all lanes together, maximum height of a lane, and the height below which ticks are enlarged (px). */
const lanesHeight = 38
const thickest = 8
const thin = 6

/** A press within this distance of a tick selects the tick (px). */
const reachPx = 6

/** The whole tree over time, one lane for each session: when it worked, failed or waited, and its comments. */
export function Minimap({ rootID, rows, current, navigation }: MinimapProps) {
  const map = useMinimap(rootID, rows)
  const { layout, lanes, drawnAt } = map
  const ref = useRef<HTMLDivElement>(null)
  useLastingLanes(ref, layout, drawnAt)
  const press = (event: MouseEvent<HTMLElement>, lane: MinimapLane) => {
    const row = rows.get(lane.sessionID)
    // Pressed by keyboard, or the session has not done anything yet.
    if (event.detail === 0 || lane.spans.length === 0) return navigation.openRow(row)
    const { left, width } = event.currentTarget.getBoundingClientRect()
    const total = layout.until === null ? layout.total + Math.max(0, Date.now() - drawnAt) : layout.total
    const at = ((event.clientX - left) / width) * total
    const target = targetAt(map, lane, at, (reachPx / width) * total)
    if ("partID" in target) navigation.openPart(lane.sessionID, target.partID)
    else navigation.openTime(lane.sessionID, target.time)
  }
  const thickness = Math.min(thickest, lanesHeight / lanes.length)
  if (lanes.every(({ spans }) => spans.length === 0)) return <div className={styles.minimap} />
  return (
    <section className={styles.minimap} aria-label="The tree over its time">
      <div
        ref={ref}
        className={styles.lanes}
        data-thin={thickness < thin}
        // React's types do not know custom properties.
        style={{ "--lane": `${thickness}px` } as CSSProperties}
      >
        {lanes.map((lane) => {
          const row = rows.get(lane.sessionID)
          return (
            <button
              key={lane.sessionID}
              type="button"
              tabIndex={-1}
              className={styles.lane}
              aria-current={lane.sessionID === current ? "true" : undefined}
              aria-label={laneName(row, lane, layout.total)}
              title={laneName(row, lane, layout.total)}
              onClick={(event) => press(event, lane)}
            >
              <LaneTrack layout={layout} spans={lane.spans} agent={row?.agent ?? ""} />
              <Comments lane={lane} total={layout.total} placeOf={layout.placeOf} />
            </button>
          )
        })}
      </div>
      <p className={styles.axis} aria-hidden>
        <span>{formatClock(layout.from)}</span>
        {layout.cuts.length === 0 ? null : <span>{formatCount(layout.cuts.length, "pause")} folded</span>}
        <span>{layout.until === null ? "now" : formatClock(layout.until)}</span>
      </p>
    </section>
  )
}

interface CommentsProps {
  lane: MinimapLane
  total: number
  placeOf(time: number): number
}

/** The comments of a lane; resolved ones are paler. */
function Comments({ lane: { comments }, total, placeOf }: CommentsProps) {
  if (comments.length === 0) return null
  const path = (open: boolean) =>
    comments
      .filter((tick) => tick.open === open)
      .map(({ time }) => `M${Math.round(placeOf(time))} 0V10`)
      .join("")
  return (
    <svg className={styles.comments} viewBox={viewBox(total)} preserveAspectRatio="none" aria-hidden data-total={total}>
      <path data-open="false" d={path(false)} />
      <path data-open="true" d={path(true)} />
    </svg>
  )
}

function laneName(row: ReviewRow | undefined, { spans, comments }: MinimapLane, now: number): string {
  if (row === undefined) return ""
  const title = row.task === null ? row.title : `#${row.task.number} ${row.title}`
  const threads = comments.length === 0 ? [] : [formatCount(comments.length, "thread")]
  const times = row.task === null ? null : taskTimes(row.task)
  return [title, ...laneLabels(times, spans, now), ...threads].join(" · ")
}
