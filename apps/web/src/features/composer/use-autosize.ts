"use client"

import { type RefObject, useEffect, useLayoutEffect } from "react"

/** Lets a textarea grow with its text and with what a narrower page makes of it, up to its style sheet's `max-height`. */
export function useAutosize(ref: RefObject<HTMLTextAreaElement | null>, text: string): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text is what changes the height
  useLayoutEffect(() => {
    if (ref.current) fitToText(ref.current)
  }, [ref, text])
  useEffect(() => {
    const field = ref.current
    if (field === null || growsByItself()) return
    let width = field.clientWidth
    const observer = new ResizeObserver(() => {
      if (field.clientWidth === width) return
      width = field.clientWidth
      fitToText(field)
    })
    observer.observe(field)
    return () => observer.disconnect()
  }, [ref])
}

/** Whether the browser does it, without laying out the page once more for each letter. */
function growsByItself(): boolean {
  return CSS.supports("field-sizing", "content")
}

/** A field says how high its text is only when it is lower. What stands around it must not move meanwhile. */
function fitToText(field: HTMLTextAreaElement): void {
  if (growsByItself()) {
    field.style.setProperty("field-sizing", "content")
    return
  }
  const around = field.parentElement
  if (around) around.style.height = `${around.offsetHeight}px`
  field.style.height = "0"
  const { scrollHeight } = field
  field.style.height = `${scrollHeight}px`
  if (around) around.style.height = ""
}
