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

/** Chooses how much agents may do unasked; a key goes from one preset to the next. */
export function PresetPicker(props: PresetMenuProps) {
  const { chosen = null } = props
  const { current, onPick } = useKeyedPreset(props)
  return (
    <OnDemand part={presetMenu} face={(open) => <PresetButton current={current} onClick={open} />}>
      {(PresetMenu) => <PresetMenu current={current} chosen={chosen} onPick={onPick} />}
    </OnDemand>
  )
}

/** How long a press rests before it counts (ms): who goes on to the next preset has not chosen those between. */
const restMs = 700

interface Meant {
  preset: PermissionPreset | null
}

/** What is chosen, or is about to be by the key; a choice in the menu takes the place of the latter. */
function useKeyedPreset({ current, onPick }: PresetMenuProps): PresetMenuProps {
  const announce = useAnnounce()
  const [meant, setMeant] = useState<Meant | null>(null)
  /** What the key chose and nobody was told yet. */
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
    // Who leaves the page or its tab means what it shows.
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
