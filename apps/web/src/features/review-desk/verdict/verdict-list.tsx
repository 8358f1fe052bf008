"use client"

import type { TaskReview } from "@docket/core"
import type { VerdictKind } from "@docket/core/schema"
import { useMe } from "../../../shell/me.tsx"
import { formatCount } from "../../../ui/format-count.ts"
import { LinkButton } from "../../../ui/link-button.tsx"
import { Initials, PersonName } from "../../../ui/person.tsx"
import { RelativeTime } from "../../../ui/relative-time.tsx"
import { VerdictGlyph } from "../../review/verdict-glyph.tsx"
import { gaveVerdict, reviewStatusOf } from "../../review/verdict-labels.ts"
import styles from "./verdict-bar.module.css"

type Judged = TaskReview["verdicts"][number]

interface VerdictListProps {
  verdicts: readonly Judged[]
  onWithdraw(taskID: string): void
  /** The user adds a reason to a verdict given without one. */
  onNote(verdict: VerdictKind): void
}

/** The given verdicts: by whom, when and why, and what changed since. */
export function VerdictList({ verdicts, onWithdraw, onNote }: VerdictListProps) {
  const { person } = useMe()
  if (verdicts.length === 0) return null
  return (
    <ul className={styles.given} aria-label="Verdicts">
      {verdicts.map((judged) => {
        const { verdict, fresh } = judged
        const status = reviewStatusOf[verdict.verdict]
        const own = verdict.by.person === person
        const mayAddNote = own && fresh && verdict.reason === ""
        return (
          <li key={verdict.by.person} className={styles.one} data-fresh={fresh}>
            <VerdictGlyph status={status} label="" />
            <Initials person={verdict.by} />
            <span className={styles.who}>
              <PersonName person={verdict.by} /> {gaveVerdict[verdict.verdict]}{" "}
              <RelativeTime time={verdict.time.created} />
              {fresh ? null : <span className={styles.stale}> · {staleLabel(judged)}</span>}
              {verdict.reason === "" ? null : <span className={styles.why}> · {verdict.reason}</span>}
            </span>
            {mayAddNote ? <LinkButton onClick={() => onNote(verdict.verdict)}>Add a note</LinkButton> : null}
            {own ? <LinkButton onClick={() => onWithdraw(verdict.taskID)}>Withdraw</LinkButton> : null}
          </li>
        )
      })}
    </ul>
  )
}

/** Why a verdict is stale. */
function staleLabel({ newParts, changed }: Pick<Judged, "newParts" | "changed">): string {
  if (newParts > 0) return `stale since ${formatCount(newParts, "new part")}`
  return changed ? "stale: its files were changed since" : "stale"
}
