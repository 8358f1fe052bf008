import type { ComponentProps } from "react"
import styles from "./range.module.css"

interface RangeProps extends ComponentProps<"input"> {
  min: number
  max: number
  value: number
}

/** A slider on a line that is filled up to where it stands. */
export function Range({ className = "", ...props }: RangeProps) {
  const { min, max, value } = props
  const at = { "--at": max > min ? (value - min) / (max - min) : 0 }
  // React takes variables of CSS, its types do not.
  return <input type="range" {...props} className={`${styles.range} ${className}`} style={at as object} />
}
