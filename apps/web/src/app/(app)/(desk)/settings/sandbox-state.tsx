"use client"

import { useTRPC } from "@docket/client/react"
import { useQuery } from "@tanstack/react-query"
import { ErrorState } from "../../../../ui/error-state.tsx"
import { SkeletonRows } from "../../../../ui/skeleton-rows.tsx"
import { StatusGlyph } from "../../../../ui/status-glyph.tsx"
import { sandboxWords } from "./sandbox-words.ts"
import styles from "./settings.module.css"

/** Whether commands run in the sandbox on this machine, and what to do where they do not. */
export function SandboxState() {
  const trpc = useTRPC()
  const state = useQuery(trpc.sandbox.state.queryOptions())
  if (state.isLoadingError)
    return (
      <ErrorState
        title="The sandbox cannot be looked at"
        message={state.error.message}
        onRetry={() => void state.refetch()}
      />
    )
  if (state.isPending) return <SkeletonRows count={1} height={44} label="Looking at the sandbox" />
  const { status, title, text } = sandboxWords(state.data)
  return (
    <>
      <div className={styles.provider}>
        <div className={styles.line}>
          <StatusGlyph status={status} label="" />
          <span className={styles.text}>
            <span className={styles.name}>{title}</span>
            <span className={styles.meta}>{text}</span>
          </span>
        </div>
        {state.data.remedy === null ? null : <p className={styles.note}>{state.data.remedy}</p>}
      </div>
      <p className={styles.hint}>
        In the sandbox commands change the project only and see no keys, no other projects and no network but hosts that
        you allow. <code>sandbox</code> in your own <code>docket.json</code> says which, and can require it.
      </p>
    </>
  )
}
