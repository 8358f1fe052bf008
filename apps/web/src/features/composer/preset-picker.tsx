"use client"

import { nextPreset } from "@docket/core/rule"
import type { PermissionPreset } from "@docket/core/schema"
import { useCallback, useEffect, useRef, useState } from "react"
import { useAnnounce } from "../../shell/announcer.tsx"
import { laterPart } from "../../ui/later-part.ts"
import { OnDemand } from "../../ui/on-demand.tsx"
import { useKeys } from "../keyboard/use-keys.ts"
import { PresetButton } from "./preset-button.tsx"
import type { PresetMenuProps } from "./preset-menu.tsx"
import { presetName } from "./preset-name.ts"

const presetMenu = laterPart(() => import("./preset-menu.tsx").then((it) => it.PresetMenu))

/** Chooses the permission preset from a menu; a key switches to the next preset. */
export function PresetPicker(props: PresetMenuProps) {
  const { chosen = null } = props
  const { current, onPick } = useKeyedPreset(props)
  return (
    <OnDemand part={presetMenu} face={(open) => <PresetButton current={current} onClick={open} />}>
      {(PresetMenu) => <PresetMenu current={current} chosen={chosen} onPick={onPick} />}
    </OnDemand>
  )
}

/** Pause after a key press before the preset is applied (ms), so that presets skipped on the way are not applied. */
const restMs = 700

/** A preset selected by key. An object, so that two selections of the same preset can be told apart. */
interface KeyedChoice {
  preset: PermissionPreset | null
}

/** The current preset, or the one selected by key that is not applied yet. A choice in the menu replaces the latter. */
function useKeyedPreset({ current, onPick }: PresetMenuProps): PresetMenuProps {
  const announce = useAnnounce()
  const [selected, setSelected] = useState<KeyedChoice | null>(null)
  /** The selection that is not applied yet. `selected` stays until it is. */
  const pending = useRef<KeyedChoice | null>(null)
  const pick = useRef(onPick)
  pick.current = onPick
  const shown = selected === null ? current : selected.preset
  const select = (next: KeyedChoice | null) => {
    pending.current = next
    setSelected(next)
  }
  const apply = useCallback(() => {
    const applied = pending.current
    if (applied === null) return
    pending.current = null
    void Promise.resolve(pick.current(applied.preset)).finally(() =>
      setSelected((latest) => (latest === applied ? null : latest)),
    )
  }, [])
  useKeys({
    "Alt+KeyP": (event) => {
      event.preventDefault()
      const preset = nextPreset(shown)
      select({ preset })
      announce(`Permissions: ${presetName(preset)}`)
    },
  })
  useEffect(() => {
    if (selected === null) return
    const timer = setTimeout(apply, restMs)
    return () => clearTimeout(timer)
  }, [selected, apply])
  useEffect(() => {
    // Applied at once when the user leaves the page or hides the tab.
    const leave = () => {
      if (document.visibilityState === "hidden") apply()
    }
    document.addEventListener("visibilitychange", leave)
    return () => {
      document.removeEventListener("visibilitychange", leave)
      apply()
    }
  }, [apply])
  return {
    current: shown,
    onPick: (preset) => {
      select(null)
      return onPick(preset)
    },
  }
}
