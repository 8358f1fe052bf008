"use client"

import { Undo2 } from "lucide-react"
import { IconButton } from "../../ui/icon-button.tsx"
import styles from "./undo.module.css"

interface UndoButtonProps {
  label?: string
  /** Within a line, not at the end of a prompt's first one. */
  inLine?: boolean
  onUndo: () => void
}

/** Seen on hover and focus, always there for touch and readers. */
export function UndoButton({ label = "Undo from here", inLine = false, onUndo }: UndoButtonProps) {
  return (
    <IconButton
      label={label}
      data-aside
      data-in-line={inLine}
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
