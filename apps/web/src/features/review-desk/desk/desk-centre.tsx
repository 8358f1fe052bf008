"use client"

import type { ReactNode } from "react"
import styles from "../review-page.module.css"
import { AttemptBand, HeldBand, NewsBand, UnreadBand } from "../task/bands.tsx"
import type { ReviewRow } from "../task/review-rows.ts"
import { TaskHead } from "../task/task-head.tsx"
import { NothingDelegated } from "./desk-states.tsx"
import type { Desk } from "./use-desk.ts"
import type { DeskNavigation } from "./use-desk-ways.ts"

interface DeskCentreProps {
  desk: Desk
  row: ReviewRow
  navigation: DeskNavigation
  /** The brief and the result of the task. */
  brief: ReactNode
  /** The switch between the views of the task. */
  views: ReactNode
  children: ReactNode
}

/** One task: its brief and result, and what it did. */
export function DeskCentre({ desk, row, navigation, brief, views, children }: DeskCentreProps) {
  const { rootID, task, go } = desk
  return (
    <div className={styles.centre}>
      <TaskHead row={row} task={task} brief={brief} go={go} />
      {desk.rows.size === 1 ? <NothingDelegated rootID={rootID} /> : null}
      <UnreadBand error={desk.reviewError} retry={desk.retry} />
      <HeldBand task={task} />
      <AttemptBand row={row} task={task} go={go} />
      <NewsBand desk={desk} onOpenAfter={navigation.openAfter} />
      {views}
      {children}
    </div>
  )
}
