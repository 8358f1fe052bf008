"use client"

import { useId } from "react"
import styles from "./checked-line.module.css"

interface CheckedLineProps {
  label: string
  /** An explanation, if the label is not enough. */
  hint?: string
  checked: boolean
  onChange(checked: boolean): void
}

/** A native checkbox with its label. */
export function CheckedLine({ label, hint, checked, onChange }: CheckedLineProps) {
  const id = useId()
  return (
    <div>
      <label className={styles.choice}>
        <input
          type="checkbox"
          checked={checked}
          aria-describedby={hint === undefined ? undefined : id}
          onChange={(event) => onChange(event.currentTarget.checked)}
        />
        {label}
      </label>
      {hint === undefined ? null : (
        <p id={id} className={styles.hint}>
          {hint}
        </p>
      )}
    </div>
  )
}
