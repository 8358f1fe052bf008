"use client"

import { Button } from "@mantine/core"
import { type ReactNode, useState } from "react"
import { Can } from "../../shell/me.tsx"
import { LazyTrustDialog } from "./lazy-trust-dialog.tsx"
import styles from "./project-trust.module.css"

interface TrustBarProps {
  projectID: string
  /** Selects what has the focus once nothing waits any more. */
  next: string
  /** What waits, in a sentence. */
  children: ReactNode
}

/** Says what of a project waits for the person's trust, and lets them look at it and give it. */
export function TrustBar({ projectID, next, children }: TrustBarProps) {
  const [looking, setLooking] = useState(false)
  return (
    <div className={styles.bar}>
      <p>{children}</p>
      <Can do="trust.manage">
        <Button onClick={() => setLooking(true)}>Review and trust…</Button>
      </Can>
      {looking ? <LazyTrustDialog projectID={projectID} next={next} onClose={() => setLooking(false)} /> : null}
    </div>
  )
}
