"use client"

import { Undo2 } from "lucide-react"
import { AsideButton } from "./aside-button.tsx"

interface UndoButtonProps {
  label?: string
  /** The button is within a line, not at the end of a prompt's first line. */
  inLine?: boolean
  onUndo: () => void
}

export function UndoButton({ label = "Undo from here", inLine = false, onUndo }: UndoButtonProps) {
  return (
    <AsideButton label={label} inLine={inLine} onClick={onUndo}>
      <Undo2 size={14} aria-hidden />
    </AsideButton>
  )
}
