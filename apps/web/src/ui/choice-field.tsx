import { useId } from "react"
import styles from "./choice-field.module.css"

interface ChoiceFieldProps {
  label: string
  value: string
  choices: readonly { value: string; label: string }[]
  onChange(value: string): void
}

/** A native select for a few choices: it works without a script and on phones. */
export function ChoiceField({ label, value, choices, onChange }: ChoiceFieldProps) {
  const id = useId()
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      <select id={id} className={styles.select} value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        {choices.map((choice) => (
          <option key={choice.value} value={choice.value}>
            {choice.label}
          </option>
        ))}
      </select>
    </div>
  )
}
