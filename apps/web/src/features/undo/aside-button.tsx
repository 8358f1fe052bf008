"use client"

import type { ReactNode } from "react"
import { IconButton } from "../../ui/icon-button.tsx"
import styles from "./undo.module.css"

interface AsideButtonProps {
  label: string
  /** The button is within a line, not at the end of a prompt's first line. */
  inLine: boolean
  onClick: () => void
  children: ReactNode
}

/** Visible on hover and focus; always visible on touch screens and to screen readers. */
export function AsideButton({ label, inLine, onClick, children }: AsideButtonProps) {
  return (
    <IconButton
      label={label}
      data-aside
      data-in-line={inLine}
      className={styles.button ?? ""}
      variant="subtle"
      color="gray"
      size={24}
      onClick={onClick}
    >
      {children}
    </IconButton>
  )
}
