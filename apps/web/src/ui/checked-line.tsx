"use client"

import { useId } from "react"
import styles from "./checked-line.module.css"

interface CheckedLineProps {
  label: string
  /** What it means, where the label does not say it. */
  hint?: string
  checked: boolean
  onChange(checked: boolean): void
}

/** Something that can be chosen or not, in the system's own way. */
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
