import { Split } from "lucide-react"
import { Elapsed } from "../../ui/elapsed.tsx"
import { LaneLine } from "./lane-line.tsx"
import { LaneTrack } from "./lane-track.tsx"
import styles from "./lanes.module.css"
import type { LaneLayout, LaneSpan } from "./lay-out-lanes.ts"

interface ParentLaneProps {
  agent: string
  layout: LaneLayout
  /** The first lane of `layout`. */
  spans: readonly LaneSpan[]
}

/** The lane of the agent that delegated: what it did while its tasks ran, and when it only waited for them. */
export function ParentLane({ agent, layout, spans }: ParentLaneProps) {
  const work = spans.filter(({ kind }) => kind === "work")
  const before = work.reduce((sum, { from, until }) => (until === null ? sum : sum + until - from), 0)
  const lasting = work.find(({ until }) => until === null)
  // The clock continues from the sum of the finished spans.
  const start = lasting === undefined ? 0 : layout.from + lasting.from - before
  return (
    <LaneLine
      icon={<Split size={13} aria-hidden className={styles.split} />}
      title="Parent"
      agent={agent}
      track={<LaneTrack layout={layout} spans={spans} agent={agent} />}
      time={
        <>
          <span className="visually-hidden">worked </span>
          <Elapsed start={start} end={lasting === undefined ? before : null} />
        </>
      }
      figure=""
    />
  )
}
