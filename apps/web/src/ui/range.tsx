import type { ComponentProps } from "react"
import styles from "./range.module.css"

interface RangeProps extends ComponentProps<"input"> {
  min: number
  max: number
  value: number
}

/** A slider whose track is filled up to the value. */
export function Range({ className = "", ...props }: RangeProps) {
  const { min, max, value } = props
  const at = { "--at": max > min ? (value - min) / (max - min) : 0 }
  // React accepts CSS variables, but its types do not.
  return <input type="range" {...props} className={`${styles.range} ${className}`} style={at as object} />
}
