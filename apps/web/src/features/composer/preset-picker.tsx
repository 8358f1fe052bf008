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

interface Meant {
  preset: PermissionPreset | null
}

/** The current preset, or the one selected by key that is not applied yet. A choice in the menu replaces the latter. */
function useKeyedPreset({ current, onPick }: PresetMenuProps): PresetMenuProps {
  const announce = useAnnounce()
  const [meant, setMeant] = useState<Meant | null>(null)
  /** The preset that was selected by key and is not applied yet. */
  const waiting = useRef<Meant | null>(null)
  const pick = useRef(onPick)
  pick.current = onPick
  const shown = meant === null ? current : meant.preset
  const mean = (next: Meant | null) => {
    waiting.current = next
    setMeant(next)
  }
  const choose = useCallback(() => {
    const chosen = waiting.current
    if (chosen === null) return
    waiting.current = null
    void Promise.resolve(pick.current(chosen.preset)).finally(() =>
      setMeant((latest) => (latest === chosen ? null : latest)),
    )
  }, [])
  useKeys({
    "Alt+KeyP": (event) => {
      event.preventDefault()
      const preset = nextPreset(shown)
      mean({ preset })
      announce(`Permissions: ${presetName(preset)}`)
    },
  })
  useEffect(() => {
    if (meant === null) return
    const rest = setTimeout(choose, restMs)
    return () => clearTimeout(rest)
  }, [meant, choose])
  useEffect(() => {
    // Applied at once when the user leaves the page or hides the tab.
    const leave = () => {
      if (document.visibilityState === "hidden") choose()
    }
    document.addEventListener("visibilitychange", leave)
    return () => {
      document.removeEventListener("visibilitychange", leave)
      choose()
    }
  }, [choose])
  return {
    current: shown,
    onPick: (preset) => {
      mean(null)
      return onPick(preset)
    },
  }
}
