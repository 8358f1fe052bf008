"use client"

import { type KeyboardEvent, type PointerEvent, useRef } from "react"
import { fitWidth, narrowest } from "./rail-layout.ts"
import styles from "./session-page.module.css"

interface RailResizerProps {
  /** Null while the rail has its default width. */
  width: number | null
  onWidth(width: number | null): void
}

/** How far an arrow key moves the edge (px). */
const step = 24

/**
 * The edge between transcript and rail, which can be dragged or moved by arrow keys; a double click resets the width.
 */
export function RailResizer({ width, onWidth }: RailResizerProps) {
  const edge = useRef<HTMLHRElement>(null)
  const page = () => edge.current?.parentElement?.parentElement?.getBoundingClientRect()
  const currentWidth = () => edge.current?.parentElement?.getBoundingClientRect().width ?? narrowest
  const set = (next: number) => onWidth(fitWidth(next, page()?.width ?? next))
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return
    event.preventDefault()
    set(currentWidth() + (event.key === "ArrowLeft" ? step : -step))
  }
  const onPointerMove = (event: PointerEvent) => {
    const box = page()
    if (box && event.currentTarget.hasPointerCapture(event.pointerId)) set(box.right - event.clientX)
  }
  return (
    <hr
      ref={edge}
      tabIndex={0}
      aria-orientation="vertical"
      aria-label="Width of the session details"
      aria-valuemin={narrowest}
      aria-valuenow={width ?? undefined}
      className={styles.edge}
      onKeyDown={onKeyDown}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={onPointerMove}
      onDoubleClick={() => onWidth(null)}
    />
  )
}
