"use client"

import type { Workspace } from "@docket/core/schema"
import settings from "../settings.module.css"
import { useWorkspaceUpdate } from "./use-workspace-update.ts"
import { WorkspaceChoice } from "./workspace-choice.tsx"

const choices = [
  { value: "finish", label: "Finishes" },
  { value: "stop", label: "Stops" },
] as const

interface WhenRemovedChoiceProps {
  whenRemoved: Workspace["whenRemoved"]
  mayChange: boolean
}

/** What happens to the running work of a removed member. */
export function WhenRemovedChoice({ whenRemoved, mayChange }: WhenRemovedChoiceProps) {
  const update = useWorkspaceUpdate()
  return (
    <>
      <WorkspaceChoice
        label="What runs for them"
        name="What runs for somebody who is removed"
        choices={choices}
        value={whenRemoved}
        mayChange={mayChange}
        isBusy={update.isPending}
        choose={(chosen) => update.mutateAsync({ whenRemoved: chosen })}
      />
      <p className={settings.hint}>Their prompts that wait are withdrawn and their schedules pause, either way.</p>
    </>
  )
}
