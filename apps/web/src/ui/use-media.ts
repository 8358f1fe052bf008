import { startTransition, useEffect, useState } from "react"

/**
 * Whether a media query matches; `sent` until hydration, because the server cannot know. Changes are rendered as a
 * transition, so that a slow phone stays responsive.
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
