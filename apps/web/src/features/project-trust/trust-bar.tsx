"use client"

import { Button } from "@mantine/core"
import { type ReactNode, useState } from "react"
import { Can } from "../../shell/me.tsx"
import { LazyTrustDialog } from "./lazy-trust-dialog.tsx"
import styles from "./project-trust.module.css"

interface TrustBarProps {
  projectID: string
  /** Selector of the element that gets focus when nothing waits for trust any more. */
  next: string
  /** A sentence about what waits for trust. */
  children: ReactNode
}

/** Tells the user what in a project waits for their trust, and lets them review it and trust it. */
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
