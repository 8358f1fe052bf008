"use client"

import { type PointerEvent, useEffect, useRef, useState } from "react"

/** How long a pointer must stay to count as resting (ms). */
const restMs = 400

/**
 * Whether a pointer rests on an element, until it leaves, presses, or the user presses Esc (WCAG 1.4.13). `at` is the
 * element, from the first rest on. Touch is ignored.
 */
export function useRest() {
  const [at, setAt] = useState<HTMLElement | null>(null)
  const [resting, setResting] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const end = () => {
    clearTimeout(timer.current)
    setResting(false)
  }
  useEffect(() => () => clearTimeout(timer.current), [])
  useEffect(() => {
    if (!resting) return
    const onKey = ({ key }: KeyboardEvent) => key === "Escape" && setResting(false)
    document.addEventListener("keydown", onKey)
    return () => document.removeEventListener("keydown", onKey)
  }, [resting])
  const begin = ({ currentTarget, pointerType }: PointerEvent<HTMLElement>) => {
    if (pointerType !== "mouse") return
    clearTimeout(timer.current)
    timer.current = setTimeout(() => {
      setAt(currentTarget)
      setResting(true)
    }, restMs)
  }
  return { at, resting, handlers: { onPointerEnter: begin, onPointerLeave: end, onPointerDown: end } }
}
