"use client"

import { nextPreset } from "@docket/core/rule"
import type { PermissionPreset } from "@docket/core/schema"
import { useEffect, useRef, useState } from "react"
import { useAnnounce } from "../../shell/announcer.tsx"
import { laterPart } from "../../ui/later-part.ts"
import { OnDemand } from "../../ui/on-demand.tsx"
import { useKeys } from "../keyboard/use-keys.ts"
import { PresetButton } from "./preset-button.tsx"
import type { PresetMenuProps } from "./preset-menu.tsx"
import { presetName } from "./preset-name.ts"

const presetMenu = laterPart(() => import("./preset-menu.tsx").then((it) => it.PresetMenu))

/** Chooses how much agents may do unasked; a key goes from one preset to the next. */
export function PresetPicker(props: PresetMenuProps) {
  const current = useKeyedPreset(props)
  return (
    <OnDemand part={presetMenu} face={(open) => <PresetButton current={current} onClick={open} />}>
      {(PresetMenu) => <PresetMenu {...props} current={current} />}
    </OnDemand>
  )
}

/** How long a press rests before it counts (ms): who goes on to the next preset has not chosen those between. */
const restMs = 700

/** What is chosen, or is about to be by the key. */
function useKeyedPreset({ current, onPick }: PresetMenuProps): PermissionPreset | null {
  const announce = useAnnounce()
  const [meant, setMeant] = useState<{ preset: PermissionPreset | null } | null>(null)
  const pick = useRef(onPick)
  pick.current = onPick
  const shown = meant === null ? current : meant.preset
  useKeys({
    "Alt+KeyP": (event) => {
      event.preventDefault()
      const preset = nextPreset(shown)
      setMeant({ preset })
      announce(`Permissions: ${presetName(preset)}`)
    },
  })
  useEffect(() => {
    if (meant === null) return
    const rest = setTimeout(() => {
      void Promise.resolve(pick.current(meant.preset)).finally(() =>
        setMeant((latest) => (latest === meant ? null : latest)),
      )
    }, restMs)
    return () => clearTimeout(rest)
  }, [meant])
  return shown
}
