"use client"

import type { SessionVisibility } from "@docket/core/schema"
import settings from "../settings.module.css"
import { useWorkspaceUpdate } from "./use-workspace-update.ts"
import { WorkspaceChoice } from "./workspace-choice.tsx"

const choices = [
  { value: "workspace", label: "Everybody here" },
  { value: "author", label: "Only who starts it" },
] as const

interface VisibilityChoiceProps {
  visibility: SessionVisibility
  mayChange: boolean
}

/** The default visibility of new sessions. */
export function VisibilityChoice({ visibility, mayChange }: VisibilityChoiceProps) {
  const update = useWorkspaceUpdate()
  return (
    <>
      <WorkspaceChoice
        label="Seen by"
        name="New sessions are seen by"
        choices={choices}
        value={visibility}
        mayChange={mayChange}
        isBusy={update.isPending}
        choose={(chosen) => update.mutateAsync({ visibility: chosen })}
      />
      <p className={settings.hint}>
        Whoever starts a session can change it for that one at any time, in its menu. A private session is hidden from
        administrators too.
      </p>
    </>
  )
}
