"use client"

import { type RefObject, useLayoutEffect } from "react"

/** Lets a textarea grow with its text, up to the `max-height` of its style sheet. */
export function useAutosize(ref: RefObject<HTMLTextAreaElement | null>, text: string): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text is what changes the height
  useLayoutEffect(() => {
    if (ref.current) fitToText(ref.current)
  }, [ref, text])
}

/** A field says how high its text is only when it is lower. What stands around it must not move meanwhile. */
function fitToText(field: HTMLTextAreaElement): void {
  const around = field.parentElement
  if (around) around.style.height = `${around.offsetHeight}px`
  field.style.height = "0"
  const { scrollHeight } = field
  field.style.height = `${scrollHeight}px`
  if (around) around.style.height = ""
}
