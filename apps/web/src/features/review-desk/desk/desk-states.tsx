"use client"

import Link from "next/link"
import type { ReactNode } from "react"
import { NoSession } from "../../../shell/no-session.tsx"
import { PageHeader } from "../../../shell/page-header.tsx"
import { ErrorState } from "../../../ui/error-state.tsx"
import { SkeletonRows } from "../../../ui/skeleton-rows.tsx"
import { ChildHeaderSpace } from "../../child/child-header-space.tsx"
import styles from "../review-page.module.css"

/** The desk while its tree is loading: placeholders in the final columns. */
export function DeskLoading() {
  return (
    <div className={styles.columns}>
      <div className={styles.tree}>
        <SkeletonRows count={6} height={46} label="Loading the tasks" />
      </div>
      <div className={styles.centre}>
        <ChildHeaderSpace />
        <div className={styles.space}>
          <SkeletonRows count={8} height={36} label="Loading the transcript" />
        </div>
      </div>
      <div className={styles.inspector} />
    </div>
  )
}

export function DeskGone({ rootID }: { rootID: string }) {
  return (
    <Frame title="Nothing to review">
      <NoSession sessionID={rootID} />
    </Frame>
  )
}

export function DeskUnreadable({ message }: { message: string }) {
  return (
    <Frame title="Review">
      <ErrorState title="This review cannot be shown" message={message} onRetry={() => location.reload()} />
    </Frame>
  )
}

/** The note for a tree of one session, which has only its own transcript. */
export function NothingDelegated({ rootID }: { rootID: string }) {
  return (
    <p className={styles.band} data-kind="note">
      <span>
        Nothing was delegated in this session, so there is no task to judge. Ask its agent to use subagents, or{" "}
        <Link href={`/s/${rootID}`}>go back to the session</Link>.
      </span>
    </p>
  )
}

function Frame({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className={styles.page}>
      <PageHeader>
        <h1>{title}</h1>
      </PageHeader>
      {children}
    </div>
  )
}
