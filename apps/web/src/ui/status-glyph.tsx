import { Ban, Check, Circle, CircleAlert, LoaderCircle, Unplug, X } from "lucide-react"
import styles from "./status.module.css"
import { type Status, statusLabel } from "./status.ts"

const glyphs = {
  queued: Circle,
  running: LoaderCircle,
  needs: CircleAlert,
  away: Unplug,
  unread: Circle,
  done: Check,
  failed: X,
  stopped: Ban,
} satisfies Record<Status, unknown>

/**
 * A status as a shape, readable without colour. `label` replaces its word; pass "" when text beside it says the same.
 */
export function StatusGlyph(props: { status: Status; label?: string; size?: number }) {
  const { status, label = statusLabel[status], size = 14 } = props
  const Glyph = glyphs[status]
  const className = `${styles.glyph} ${styles[status]}`
  const icon = <Glyph size={size} strokeWidth={2.25} aria-hidden />
  if (label === "") return <span className={className}>{icon}</span>
  return (
    <span role="img" aria-label={label} title={label} className={className}>
      {icon}
    </span>
  )
}
