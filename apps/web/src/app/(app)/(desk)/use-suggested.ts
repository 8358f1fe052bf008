"use client"

import { useCallback, useRef, useState } from "react"
import type { RestoredPrompt } from "../../../features/undo/restored-prompt.ts"

/** A suggested prompt that the user chose. It replaces the one chosen before in the prompt field. */
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
