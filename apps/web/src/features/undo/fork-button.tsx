"use client"

import { GitFork } from "lucide-react"
import { IconButton } from "../../ui/icon-button.tsx"
import styles from "./undo.module.css"

/** At the end of a turn, shown like the undo beside it. */
export function ForkButton({ onFork }: { onFork: () => void }) {
  return (
    <IconButton
      label="Fork from before this turn"
      data-aside
      data-in-line
      className={styles.button ?? ""}
      variant="subtle"
      color="gray"
      size={24}
      onClick={onFork}
    >
      <GitFork size={14} aria-hidden />
    </IconButton>
  )
}
