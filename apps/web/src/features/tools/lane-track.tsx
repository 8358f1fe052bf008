import { agentHue } from "../../theme/agent-hue.ts"
import styles from "./lanes.module.css"
import type { LaneLayout, LaneSpan } from "./lay-out-lanes.ts"

interface LaneTrackProps {
  layout: Pick<LaneLayout, "total" | "cuts">
  spans: readonly LaneSpan[]
  agent: string
}

/** Drawing order: later kinds lie on top, so the important ones come last. */
const kinds = ["queued", "rest", "work", "wait", "error"] as const

/**
 * A lane as a picture: the colour shows the agent, the ticks show the kinds of spans. One SVG element for each kind,
 * however many ticks, and one for each unfinished span, which `useLastingLanes` makes grow.
 */
export function LaneTrack({ layout, spans, agent }: LaneTrackProps) {
  const { total, cuts } = layout
  return (
    <svg
      className={styles.track}
      style={{ color: agentHue(agent) }}
      viewBox={viewBox(total)}
      preserveAspectRatio="none"
      aria-hidden
      data-total={total}
    >
      {cuts.length === 0 ? null : <path className={styles.cut} d={cuts.map((x) => `M${round(x)} 0V10`).join("")} />}
      {kinds.map((kind) => (
        <Spans key={kind} kind={kind} spans={spans.filter((span) => span.kind === kind)} end={total} />
      ))}
    </svg>
  )
}

function Spans(props: { kind: LaneSpan["kind"]; spans: readonly LaneSpan[]; end: number }) {
  const { kind, spans, end } = props
  const ended = spans.filter(({ until }) => until !== null)
  const line = ({ from, until }: LaneSpan) => `M${round(from)} 5H${round(until ?? end)}`
  const tick = ({ from }: LaneSpan) => `M${round(from)} 0V10`
  return (
    <>
      {ended.length === 0 ? null : <path data-kind={kind} d={ended.map(kind === "error" ? tick : line).join("")} />}
      {spans
        .filter(({ until }) => until === null)
        .map((span) => (
          <path key={span.from} data-kind={kind} data-lasts={round(span.from)} d={line(span)} />
        ))}
    </>
  )
}

/** The visible part of a lane: from its first to its last ms. */
export function viewBox(total: number): string {
  return `0 0 ${round(total)} 10`
}

function round(ms: number): number {
  return Math.round(ms)
}
