"use client"

import { SegmentedControl, useMantineColorScheme } from "@mantine/core"
import { useEffect, useState } from "react"
import type { ColorScheme } from "../../../../theme/color-scheme.ts"
import styles from "./settings.module.css"

const choices = [
  { value: "auto", label: "System" },
  { value: "light", label: "Light" },
  { value: "dark", label: "Dark" },
]

/** Light, dark or the system's setting, stored in a cookie of this browser. */
export function Appearance() {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const [mounted, setMounted] = useState(false)
  useEffect(() => setMounted(true), [])
  return (
    <div className={styles.line}>
      <span>Kept in a cookie of this browser.</span>
      <SegmentedControl
        aria-label="Appearance"
        data={choices}
        value={mounted ? colorScheme : "auto"}
        // The control returns one of the values above.
        onChange={(value) => setColorScheme(value as ColorScheme)}
      />
    </div>
  )
}
