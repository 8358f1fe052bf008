"use client"

import styles from "../review-page.module.css"
import { AttemptBand, HeldBand, NewsBand, UnreadBand } from "../task/bands.tsx"
import type { ReviewRow } from "../task/review-rows.ts"
import { TaskHead } from "../task/task-head.tsx"
import { DeskContent } from "./desk-content.tsx"
import { NothingDelegated } from "./desk-states.tsx"
import { DeskViewSwitch } from "./desk-view-switch.tsx"
import type { Columns } from "./use-columns.ts"
import type { Desk } from "./use-desk.ts"
import type { DeskWays } from "./use-desk-ways.ts"

interface DeskCentreProps {
  desk: Desk
  row: ReviewRow
  ways: DeskWays
  columns: Columns
  onPoint(id: string): void
}

/** One task: what it was told and returned, and what it did. */
export function DeskCentre({ desk, row, ways, columns, onPoint }: DeskCentreProps) {
  const { rootID, task, go } = desk
  return (
    <div className={styles.centre}>
      <TaskHead row={row} task={task} go={go} />
      {desk.rows.size === 1 ? <NothingDelegated rootID={rootID} /> : null}
      <UnreadBand error={desk.reviewError} retry={desk.retry} />
      <HeldBand task={task} />
      <AttemptBand row={row} task={task} go={go} />
      <NewsBand desk={desk} onOpenAfter={ways.openAfter} />
      <DeskViewSwitch desk={desk} row={row} ways={ways} columns={columns} />
      <DeskContent desk={desk} ways={ways} onPoint={onPoint} />
    </div>
  )
}
