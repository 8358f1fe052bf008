"use client"

import { Switch } from "@mantine/core"
import { useSingleKeys } from "../../../../features/keyboard/single-keys.tsx"
import styles from "./settings.module.css"

/** Turns shortcuts without a modifier off, for people whose speech or hands press keys by accident. */
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
