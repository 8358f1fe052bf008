"use client"

import { Switch } from "@mantine/core"
import { useSingleKeys } from "../../../../features/keyboard/single-keys.tsx"
import styles from "./settings.module.css"

/** Switches off shortcuts without a modifier, for users who press keys by accident, e.g. with speech input. */
export function SingleKeysSwitch() {
  const { enabled, setEnabled } = useSingleKeys()
  return (
    <Switch
      className={styles.switch ?? ""}
      checked={enabled}
      onChange={(event) => setEnabled(event.currentTarget.checked)}
      label="Single-key shortcuts"
      description="Keys without Ctrl, ⌘ or Alt. The choice is kept in a cookie of this browser."
    />
  )
}
