"use client"

import { useCallback, useRef, useState } from "react"
import type { RestoredPrompt } from "../../../features/undo/restored-prompt.ts"

/** A prompt that a person chose to try: it goes into the composer, in place of the one chosen before. */
export function useSuggested() {
  const [restored, setRestored] = useState<RestoredPrompt | null>(null)
  const last = useRef("")
  const suggest = useCallback((prompt: string) => {
    setRestored({ put: prompt, take: last.current, files: [], attach: [], detach: [] })
    last.current = prompt
  }, [])
  const onRestored = useCallback(() => setRestored(null), [])
  return { suggest, restoring: { restored, onRestored } }
}
