import { useId } from "react"
import styles from "./transfer.module.css"

interface CheckedLineProps {
  label: string
  /** What it means. */
  hint: string
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
          aria-describedby={id}
          onChange={(event) => onChange(event.currentTarget.checked)}
        />
        {label}
      </label>
      <p id={id} className={styles.hint}>
        {hint}
      </p>
    </div>
  )
}
