"use client"

import { Button } from "@mantine/core"
import { ShieldQuestionMark } from "lucide-react"
import { useEffect, useState } from "react"
import { useAnnounce } from "../../shell/announcer.tsx"
import { Can, useMe } from "../../shell/me.tsx"
import { LazyTrustDialog } from "./lazy-trust-dialog.tsx"
import styles from "./project-trust.module.css"
import { trustSentence, waitsForTrust } from "./trust-messages.ts"
import { useProjectTrust } from "./use-project-trust.ts"

/** A notice above the composer while the project's configuration waits for trust. */
export function TrustNotice({ projectID }: { projectID: string }) {
  const announce = useAnnounce()
  const [looking, setLooking] = useState(false)
  const { data: trust } = useProjectTrust(projectID)
  const waits = trust !== undefined && waitsForTrust(trust)
  const { can } = useMe()
  const sentence = waits && can("prompt") ? trustSentence("This project", trust) : null
  useEffect(() => {
    if (sentence !== null) announce(sentence)
  }, [announce, sentence])
  if (sentence === null) return null
  return (
    <section className={styles.notice} aria-label="Trust">
      <ShieldQuestionMark size={16} aria-hidden className={styles.icon} />
      <p className={styles.sentence}>
        {sentence}
        {can("trust.manage") ? null : " An admin decides about that."}
      </p>
      <Can do="trust.manage">
        <Button onClick={() => setLooking(true)}>Look at it</Button>
      </Can>
      {looking ? (
        <LazyTrustDialog projectID={projectID} next="[data-composer]" onClose={() => setLooking(false)} />
      ) : null}
    </section>
  )
}
