import { startTransition, useEffect, useState } from "react"

/**
 * Whether a media query holds; `sent` until the page is alive, because no server knows. What it changes is drawn in small
 * steps, between which the page answers: a phone would stand still for all of it at once.
 */
export function useMedia(query: string, sent = false): boolean {
  const [holds, setHolds] = useState(sent)
  useEffect(() => {
    const list = matchMedia(query)
    const tell = () => startTransition(() => setHolds(list.matches))
    tell()
    list.addEventListener("change", tell)
    return () => list.removeEventListener("change", tell)
  }, [query])
  return holds
}
