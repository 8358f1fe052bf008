"use client"

import { SegmentedControl } from "@mantine/core"
import { useAnnounce } from "../../../../../shell/announcer.tsx"
import { showProblem } from "../../../../../shell/show-problem.ts"
import settings from "../settings.module.css"

interface WorkspaceChoiceProps<Value extends string> {
  /** The visible label, as in "Seen by". */
  label: string
  /** The accessible name, which must be clear without its context: "New sessions are seen by". */
  name: string
  choices: readonly { value: Value; label: string }[]
  value: Value
  mayChange: boolean
  isBusy: boolean
  choose(value: Value): Promise<unknown>
}

/** A setting of the workspace with a few choices. */
export function WorkspaceChoice<Value extends string>(props: WorkspaceChoiceProps<Value>) {
  const { label, name, choices, value, mayChange, isBusy, choose } = props
  const announce = useAnnounce()
  const save = async (chosen: string) => {
    const choice = choices.find((each) => each.value === chosen)
    if (choice === undefined) return
    await choose(choice.value)
    announce(`${name}: ${choice.label}`)
  }
  return (
    <div className={settings.line}>
      <span>{label}</span>
      <SegmentedControl
        aria-label={name}
        data={[...choices]}
        value={value}
        disabled={!mayChange || isBusy}
        onChange={(chosen) => void save(chosen).catch(showProblem)}
      />
    </div>
  )
}
