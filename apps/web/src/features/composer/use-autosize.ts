"use client"

import { type RefObject, useLayoutEffect } from "react"

/** Lets a textarea grow with its text, up to the `max-height` of its style sheet. */
export function useAutosize(ref: RefObject<HTMLTextAreaElement | null>, text: string): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text is what changes the height
  useLayoutEffect(() => {
    const node = ref.current
    if (!node) return
    node.style.height = "0"
    node.style.height = `${node.scrollHeight}px`
  }, [ref, text])
}
