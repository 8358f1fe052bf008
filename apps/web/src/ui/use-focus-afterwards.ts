import { useEffect, useState } from "react"

/** When the dialog closes, focus goes back to what opened it, or to what `next` selects when that is gone. */
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
