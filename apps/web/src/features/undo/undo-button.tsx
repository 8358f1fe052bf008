"use client"

import { Undo2 } from "lucide-react"
import { IconButton } from "../../ui/icon-button.tsx"
import styles from "./undo.module.css"

/** Stands at the end of a prompt's first line; seen on hover and focus, always there for touch and readers. */
export function UndoButton({ onUndo }: { onUndo: () => void }) {
  return (
    <IconButton
      label="Undo from here"
      data-aside
      className={styles.button ?? ""}
      variant="subtle"
      color="gray"
      size={24}
      onClick={onUndo}
    >
      <Undo2 size={14} aria-hidden />
    </IconButton>
  )
}
