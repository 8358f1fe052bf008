import { startTransition, useEffect, useState } from "react"

/**
 * Whether a media query matches. Until hydration it is `beforeHydration`, because the server cannot know. Changes are
 * rendered as a transition, so that a slow phone stays responsive.
 */
export function useMedia(query: string, beforeHydration = false): boolean {
  const [matches, setMatches] = useState(beforeHydration)
  useEffect(() => {
    const list = matchMedia(query)
    const tell = () => startTransition(() => setMatches(list.matches))
    tell()
    list.addEventListener("change", tell)
    return () => list.removeEventListener("change", tell)
  }, [query])
  return matches
}
