"use client"

import { generate } from "lean-qr"
import styles from "./methods.module.css"

/**
 * A QR code, dark on light in both themes, as scanners expect. It is generated in the browser, so the text is sent
 * nowhere.
 */
export function QrCode({ text, label }: { text: string; label: string }) {
  const code = generate(text)
  const lines = Array.from({ length: code.size }, (_, y) =>
    Array.from({ length: code.size }, (_, x) => (code.get(x, y) ? `M${x} ${y}h1v1h-1z` : "")).join(""),
  )
  const side = code.size + 8
  return (
    <svg role="img" aria-label={label} className={styles.code} viewBox={`-4 -4 ${side} ${side}`}>
      <path fill="#fff" d={`M-4-4h${side}v${side}h-${side}z`} />
      <path fill="#000" shapeRendering="crispEdges" d={lines.join("")} />
    </svg>
  )
}
