"use client"

import { type RefObject, useEffect, useLayoutEffect } from "react"

/** Grows a textarea with its wrapped text, up to the `max-height` of its style sheet. */
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

/** Whether the browser resizes fields by itself, which saves a layout of the page for each key. */
function growsByItself(): boolean {
  return CSS.supports("field-sizing", "content")
}

/**
 * The text height can be measured only while the field is lower than its text. The surrounding layout must not move
 * meanwhile.
 */
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
