"use client"

import { Button } from "@mantine/core"
import { Archive } from "lucide-react"
import { useAnnounce } from "../../shell/announcer.tsx"
import { Can } from "../../shell/me.tsx"
import { showProblem } from "../../shell/show-problem.ts"
import { useSessionUpdate } from "../session-menu/use-session-update.ts"
import styles from "./session-page.module.css"

/** Shows that the session is archived and therefore not listed, and restores it. */
export function ArchivedMark({ rootID }: { rootID: string }) {
  const { update, refresh } = useSessionUpdate()
  const announce = useAnnounce()
  const bringBack = async () => {
    await update.mutateAsync({ sessionID: rootID, archived: false })
    announce("Brought back")
    refresh()
  }
  return (
    <span className={styles.archived}>
      <Archive size={12} aria-hidden />
      <span className={styles.archivedWord}>Archived</span>
      <Can do="prompt">
        <Button
          variant="subtle"
          className={styles.bringBack ?? ""}
          loading={update.isPending}
          onClick={() => bringBack().catch(showProblem)}
        >
          Bring back
        </Button>
      </Can>
    </span>
  )
}
