"use client"

import { useTRPCClient } from "@docket/client/react"
import { type MouseEvent, useRef } from "react"
import { showProblem } from "../../shell/show-problem.ts"
import { formatClock } from "../../ui/format.ts"
import { formatCount } from "../../ui/format-count.ts"
import { LaneTrack, viewBox } from "../tools/lane-track.tsx"
import { laneWords } from "../tools/lane-words.ts"
import { useLastingLanes } from "../tools/use-lasting-lanes.ts"
import styles from "./minimap.module.css"
import { type MinimapLane, type MinimapTarget, targetAt } from "./minimap-lanes.ts"
import { messageIDAt, partAt } from "./moments.ts"
import type { ReviewRow, ReviewRows } from "./review-rows.ts"
import { useMinimap } from "./use-minimap.ts"

interface MinimapProps {
  rootID: string
  rows: ReviewRows
  /** The session that the reader looks at. */
  current: string | null
  onOpenPart(sessionID: string, partID: string): void
  onOpen(row: ReviewRow): void
}

/** So near to a tick a press means it (px). */
const reachPx = 6
/** Messages on each side of a moment that hold the part in which the session was then. */
const nearby = 4

/** The whole tree over its time, a lane a session: what worked when, failed, waited, and what people say of it. */
export function Minimap({ rootID, rows, current, onOpenPart, onOpen }: MinimapProps) {
  const client = useTRPCClient()
  const map = useMinimap(rootID, rows)
  const { layout, lanes, drawnAt } = map
  const ref = useRef<HTMLDivElement>(null)
  useLastingLanes(ref, layout, drawnAt)
  const goTo = async (sessionID: string, target: MinimapTarget) => {
    if ("partID" in target) return onOpenPart(sessionID, target.partID)
    const page = { sessionID, around: messageIDAt(target.time), limit: 2 * nearby }
    const { items } = await client.session.messages.query(page)
    const part = partAt(items, target.time)
    const row = rows.get(sessionID)
    if (part !== null) onOpenPart(sessionID, part.id)
    else if (row) onOpen(row)
  }
  const press = (event: MouseEvent<HTMLElement>, lane: MinimapLane) => {
    const row = rows.get(lane.sessionID)
    // By a key, or before anything was done in it.
    if (event.detail === 0 || lane.stretches.length === 0) return row && onOpen(row)
    const { left, width } = event.currentTarget.getBoundingClientRect()
    const total = layout.until === null ? layout.total + Math.max(0, Date.now() - drawnAt) : layout.total
    const at = ((event.clientX - left) / width) * total
    void goTo(lane.sessionID, targetAt(map, lane, at, (reachPx / width) * total)).catch(showProblem)
  }
  if (lanes.every(({ stretches }) => stretches.length === 0)) return <div className={styles.minimap} />
  return (
    <section className={styles.minimap} aria-label="The tree over its time">
      <div ref={ref} className={styles.lanes} data-many={lanes.length > 12}>
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
              <LaneTrack layout={layout} stretches={lane.stretches} agent={row?.agent ?? ""} />
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

/** Comments over a lane: those that are resolved paler. */
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

function laneName(row: ReviewRow | undefined, { stretches, comments }: MinimapLane, now: number): string {
  if (row === undefined) return ""
  const title = row.task === null ? row.title : `#${row.task.number} ${row.title}`
  const said = comments.length === 0 ? [] : [formatCount(comments.length, "thread")]
  return [title, ...laneWords(stretches, now), ...said].join(" · ")
}
