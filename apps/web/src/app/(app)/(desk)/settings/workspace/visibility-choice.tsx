"use client"

import type { SessionVisibility } from "@docket/core/schema"
import { SegmentedControl } from "@mantine/core"
import { useAnnounce } from "../../../../../shell/announcer.tsx"
import { showProblem } from "../../../../../shell/show-problem.ts"
import settings from "../settings.module.css"
import { useWorkspaceUpdate } from "./use-workspace-update.ts"

const choices = [
  { value: "workspace", label: "Everybody here" },
  { value: "author", label: "Only who starts it" },
]

interface VisibilityChoiceProps {
  visibility: SessionVisibility
  mayChange: boolean
}

/** Who sees a session that is started from now on. */
export function VisibilityChoice({ visibility, mayChange }: VisibilityChoiceProps) {
  const announce = useAnnounce()
  const update = useWorkspaceUpdate()
  const choose = async (wanted: SessionVisibility) => {
    await update.mutateAsync({ visibility: wanted })
    announce(wanted === "author" ? "New sessions are private" : "New sessions are seen by everybody here")
  }
  return (
    <>
      <div className={settings.line}>
        <span>Seen by</span>
        <SegmentedControl
          aria-label="New sessions are seen by"
          data={choices}
          value={update.variables?.visibility ?? visibility}
          disabled={!mayChange || update.isPending}
          // The control hands back one of the values above.
          onChange={(value) => choose(value as SessionVisibility).catch(showProblem)}
        />
      </div>
      <p className={settings.hint}>
        Whoever starts a session can change it for that one at any time, in its menu. A private session is hidden from
        administrators too.
      </p>
    </>
  )
}
