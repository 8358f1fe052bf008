"use client"

import { Undo2 } from "lucide-react"
import { IconButton } from "../../ui/icon-button.tsx"
import styles from "./undo.module.css"

interface UndoButtonProps {
  label?: string
  /** The button is within a line, not at the end of a prompt's first line. */
  inLine?: boolean
  onUndo: () => void
}

/** Visible on hover and focus; always visible on touch screens and to screen readers. */
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
