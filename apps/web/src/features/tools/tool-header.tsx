import { formatDuration } from "@docket/core/duration"
import { Elapsed } from "../../ui/elapsed.tsx"
import { DoneBy } from "../../ui/person.tsx"
import { Redactions } from "../../ui/redactions.tsx"
import { StatusGlyph } from "../../ui/status-glyph.tsx"
import type { ToolView } from "./tool-view.ts"
import styles from "./tools.module.css"

/** Shorter calls do not show their duration (ms). */
const worthTelling = 500
/** Longer calls always show their duration; others show it on hover (ms). */
const long = 10_000

/** The 28 px line of a tool call: status, tool, what it works on, figures. */
export function ToolHeader({ view }: { view: ToolView }) {
  const { time } = view
  const took = time?.end === null || time === null ? null : time.end - time.start
  return (
    <>
      <StatusGlyph status={view.status} size={13} />
      <span className={styles.tool}>{view.tool}</span>
      <span className={styles.title} data-words={view.detail !== null || view.body.kind === "todos"}>
        {view.title === "" && view.status === "queued" ? "writing arguments…" : <Redactions text={view.title} />}
      </span>
      {view.additions === null || view.deletions === null ? null : (
        <DiffFigures additions={view.additions} deletions={view.deletions} />
      )}
      {view.status === "needs" ? <span className={styles.waiting}>waits for an answer</span> : null}
      {view.alarm === null ? null : <span className={styles.alarm}>{view.alarm}</span>}
      {view.facts.map((fact) => (
        <span key={typeof fact === "string" ? fact : fact.did} className={styles.fact}>
          {typeof fact === "string" ? fact : <DoneBy {...fact} />}
        </span>
      ))}
      {time !== null && time.end === null ? (
        <span className={styles.fact}>
          <Elapsed start={time.start} end={null} />
        </span>
      ) : took !== null && took >= worthTelling ? (
        <span className={styles.took} data-long={took >= long}>
          {formatDuration(took)}
        </span>
      ) : null}
      {view.detail === null ? null : (
        <span className={styles.detail}>
          <Redactions text={view.detail} />
        </span>
      )}
    </>
  )
}

/** +12 −3 */
export function DiffFigures({ additions, deletions }: { additions: number; deletions: number }) {
  return (
    <span className={styles.figures}>
      <span className={styles.additions}>
        +{additions}
        <span className="visually-hidden"> lines added</span>
      </span>{" "}
      <span className={styles.deletions}>
        −{deletions}
        <span className="visually-hidden"> lines removed</span>
      </span>
    </span>
  )
}
