"use client"

import { useTRPC } from "@docket/client/react"
import type { SandboxState as SandboxReport } from "@docket/core/schema"
import { useQuery } from "@tanstack/react-query"
import { Loaded } from "../../../../ui/loaded.tsx"
import { StatusGlyph } from "../../../../ui/status-glyph.tsx"
import { sandboxMessage } from "./sandbox-messages.ts"
import styles from "./settings.module.css"

/** Whether commands run in the sandbox on this machine, and what to do if they do not. */
export function SandboxState() {
  const trpc = useTRPC()
  const state = useQuery(trpc.sandbox.state.queryOptions())
  return (
    <Loaded query={state} failed="The sandbox cannot be looked at" loading="Looking at the sandbox">
      {(known) => <Sandbox state={known} />}
    </Loaded>
  )
}

function Sandbox({ state }: { state: SandboxReport }) {
  const { status, title, text } = sandboxMessage(state)
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
        {state.remedy === null ? null : <p className={styles.note}>{state.remedy}</p>}
      </div>
      <p className={styles.hint}>
        In the sandbox commands change the project only and see no keys, no other projects and no network but hosts that
        you allow. <code>sandbox</code> in your own <code>docket.json</code> says which, and can require it.
      </p>
    </>
  )
}
