import { useEffect, useState } from "react"

/**
 * When the dialog closes, moves focus back to the element that opened it, or to `next` (a selector) if that is gone.
 */
export function useFocusAfterwards(next: string): void {
  const [opener] = useState(() => document.activeElement)
  useEffect(
    () => () => {
      const back = opener instanceof HTMLElement && opener.isConnected ? opener : null
      const target = back ?? document.querySelector<HTMLElement>(next)
      target?.focus()
    },
    [opener, next],
  )
}
