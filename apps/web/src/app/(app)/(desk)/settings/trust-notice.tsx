"use client"

import type { Project } from "@docket/core/schema"
import { Button } from "@mantine/core"
import { useState } from "react"
import { LazyTrustDialog } from "../../../../features/project-trust/lazy-trust-dialog.tsx"
import { canBeTrusted } from "../../../../features/project-trust/trust-messages.ts"
import { useProjectTrust } from "../../../../features/project-trust/use-project-trust.ts"
import { Can } from "../../../../shell/me.tsx"
import styles from "./trust-notice.module.css"

interface TrustNoticeProps {
  project: Project
  /** What waits for trust, as a sentence. */
  children: string
  onClose(): void
}

/** Says that something waits for trust in the project, with the way there. Nothing where it cannot be trusted. */
export function TrustNotice({ project, children, onClose }: TrustNoticeProps) {
  const [looking, setLooking] = useState(false)
  const { data: trust } = useProjectTrust(project.id)
  if (trust === undefined || !canBeTrusted(trust)) return null
  const close = () => {
    setLooking(false)
    onClose()
  }
  return (
    <section className={styles.trust} aria-label="Trust">
      <p>{children}</p>
      <Can do="trust.manage">
        <Button data-look onClick={() => setLooking(true)}>
          Look at it
        </Button>
      </Can>
      {looking ? <LazyTrustDialog projectID={project.id} next="[data-look]" onClose={close} /> : null}
    </section>
  )
}
