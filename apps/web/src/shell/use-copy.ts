"use client"

import { useCallback } from "react"
import { loadPart } from "../ui/load-part.ts"
import { useAnnounce } from "./announcer.tsx"
import { showProblem } from "./show-problem.ts"

/** How long a word about something that worked stays (ms). */
const shownMs = 2_000

export interface CopyOptions {
  /** Shows it too, where no button says that it worked: for keys. */
  toast?: boolean
}

/** Copies text and says what was copied, `what` as in "Copied the link to this answer". False when the browser refuses. */
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
      if (toast) void showDone(words)
      return true
    },
    [announce],
  )
}

/** A short word in the corner. It is silent: the announcer speaks. */
async function showDone(message: string): Promise<void> {
  const { notifications } = await loadPart(() => import("@mantine/notifications"))
  notifications.show({ message, role: "none", withBorder: true, withCloseButton: false, autoClose: shownMs })
}
