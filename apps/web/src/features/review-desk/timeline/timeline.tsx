"use client"

import { useTranscript, useTreeState } from "@docket/client/react"
import { formatDuration } from "@docket/core/duration"
import { Button } from "@mantine/core"
import { useMemo, useRef } from "react"
import { Elapsed } from "../../../ui/elapsed.tsx"
import { formatClock } from "../../../ui/format.ts"
import { formatCount } from "../../../ui/format-count.ts"
import { SkeletonRows } from "../../../ui/skeleton-rows.tsx"
import { StatusGlyph } from "../../../ui/status-glyph.tsx"
import { LaneTrack } from "../../tools/lane-track.tsx"
import { type LaneSpan, layOutLanes } from "../../tools/lay-out-lanes.ts"
import { useLastingLanes } from "../../tools/use-lasting-lanes.ts"
import styles from "./timeline.module.css"
import { type TimelineEntry, timelineEntries } from "./timeline-entries.ts"

interface TimelineProps {
  sessionID: string
  agent: string
  /** The part named in the address. */
  part: string | null
  onOpenPart(sessionID: string, partID: string): void
}

/** A session's actions on a time axis, one per line; long pauses are folded. A press opens the transcript. */
export function Timeline({ sessionID, agent, part, onOpenPart }: TimelineProps) {
  const store = useTranscript(sessionID)
  const transcript = useTreeState(store, (view) => view.tree?.transcripts[sessionID])
  const messages = transcript?.messages
  const entries = useMemo(() => timelineEntries(messages ?? []), [messages])
  // Entries that still run are laid out up to this time (epoch ms).
  const drawnAt = useMemo(() => (entries.length === 0 ? 0 : Date.now()), [entries])
  const layout = useMemo(() => layOutLanes(entries.map(spansOf), drawnAt), [entries, drawnAt])
  const ref = useRef<HTMLElement>(null)
  useLastingLanes(ref, layout, drawnAt)
  if (transcript === undefined) return <SkeletonRows count={8} label="Loading the timeline" />
  if (entries.length === 0) return <p className={styles.empty}>Nothing was done here yet.</p>
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section className={styles.timeline} aria-label="Timeline" tabIndex={0} ref={ref}>
      <p className={styles.axis}>
        <span>{formatClock(layout.from)}</span>
        {layout.cuts.length === 0 ? null : <span>{formatCount(layout.cuts.length, "long pause")} folded</span>}
        <span>{layout.until === null ? "now" : formatDuration(layout.until - layout.from)}</span>
      </p>
      {transcript.before === null ? null : (
        <Button className={styles.more ?? ""} onClick={() => void store.loadBefore(sessionID).catch(() => {})}>
          Show earlier steps
        </Button>
      )}
      <ol className={styles.entries}>
        {entries.map((entry, index) => (
          <li key={entry.partID} className={styles.entry} data-linked={entry.partID === part}>
            <button type="button" className={styles.open} onClick={() => onOpenPart(sessionID, entry.partID)}>
              <span className={styles.mark}>
                {entry.status === null ? (
                  <span className={styles.dot} data-kind={entry.kind} aria-hidden />
                ) : (
                  <StatusGlyph status={entry.status} size={13} />
                )}
              </span>
              <span className={styles.words}>
                <code className={styles.name}>{entry.name}</code> {entry.words}
              </span>
              <LaneTrack layout={layout} spans={layout.lanes[index] ?? []} agent={agent} />
              <span className={styles.time}>
                {entry.kind === "prompt" ? formatClock(entry.from) : <Elapsed start={entry.from} end={entry.until} />}
              </span>
            </button>
          </li>
        ))}
      </ol>
    </section>
  )
}

/** The spans of an entry: the wait for the model as a thin line, then its bar. */
function spansOf({ asked, from, until, status }: TimelineEntry): LaneSpan[] {
  const kind = status === "needs" ? "wait" : "work"
  const waited: LaneSpan[] = asked === null || asked >= from ? [] : [{ kind: "rest", from: asked, until: from }]
  const failed: LaneSpan[] = status === "failed" ? [{ kind: "error", from: until ?? from, until: until ?? from }] : []
  return [...waited, { kind, from, until }, ...failed]
}
