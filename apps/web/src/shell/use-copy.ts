"use client"

import { useCallback } from "react"
import { useAnnounce } from "./announcer.tsx"
import { showDone } from "./show-done.ts"
import { showProblem } from "./show-problem.ts"

export interface CopyOptions {
  /** Also shows a notification, for key presses, which have no button to show success. */
  toast?: boolean
}

/** Copies text and announces it, with `what` as in "Copied the link to this answer". False when the browser refuses. */
export function useCopy(): (text: string, what: string, options?: CopyOptions) => Promise<boolean> {
  const announce = useAnnounce()
  return useCallback(
    async (text, what, { toast = false } = {}) => {
      const words = `Copied ${what}`
      try {
        await navigator.clipboard.writeText(text)
      } catch {
        void showProblem(
          new Error(`The browser does not let this page copy ${what}. Pages by https or on localhost may.`),
        )
        return false
      }
      announce(words)
      if (toast) void showDone(words, "none")
      return true
    },
    [announce],
  )
}
