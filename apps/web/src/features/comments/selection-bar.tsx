"use client"

import { Button, Portal } from "@mantine/core"
import { useMediaQuery } from "@mantine/hooks"
import { MessageSquarePlus } from "lucide-react"
import { useEffect, useState } from "react"
import { hasSelectedText } from "../commenting/selected-text.ts"
import styles from "./comments.module.css"

/** Distance from the selection, and size of the bar (px). */
const gap = 8
const barHeight = 32
const barWidth = 120

/**
 * The button that starts a comment on selected text. It appears beside the selection; on touch screens at the lower
 * edge.
 */
export function SelectionBar({ onComment }: { onComment: () => void }) {
  const at = useSelectedPlace()
  const touch = useMediaQuery("(pointer: coarse)") ?? false
  if (at === null) return null
  return (
    <Portal>
      <section aria-label="Selected words" className={styles.bar} data-touch={touch} style={touch ? undefined : at}>
        <Button
          variant="filled"
          leftSection={<MessageSquarePlus size={14} aria-hidden />}
          // A press must not remove the selection.
          onPointerDown={(event) => event.preventDefault()}
          onMouseDown={(event) => event.preventDefault()}
          onClick={onComment}
        >
          Comment
        </Button>
      </section>
    </Portal>
  )
}

/** End of the selection on the screen (px), once the user stops selecting; null without a selection to comment on. */
function useSelectedPlace(): { top: number; left: number } | null {
  const [at, setAt] = useState<{ top: number; left: number } | null>(null)
  useEffect(() => {
    let frame = 0
    const look = () => {
      cancelAnimationFrame(frame)
      frame = requestAnimationFrame(() => setAt(hasSelectedText() ? placeOfSelection() : null))
    }
    const listeners = new AbortController()
    document.addEventListener("selectionchange", look, { signal: listeners.signal })
    document.addEventListener("scroll", look, { signal: listeners.signal, capture: true, passive: true })
    // Words may have been selected before this code was loaded.
    look()
    return () => {
      listeners.abort()
      cancelAnimationFrame(frame)
    }
  }, [])
  return at
}

function placeOfSelection(): { top: number; left: number } | null {
  const range = window.getSelection()?.getRangeAt(0)
  const rects = range?.getClientRects()
  const last = rects?.[rects.length - 1]
  if (last === undefined) return null
  const below = last.bottom + gap
  const top = below + barHeight > window.innerHeight ? last.top - gap - barHeight : below
  return {
    top: Math.max(gap, Math.min(top, window.innerHeight - barHeight - gap)),
    left: Math.max(gap, Math.min(last.right - barWidth / 2, window.innerWidth - barWidth - gap)),
  }
}
