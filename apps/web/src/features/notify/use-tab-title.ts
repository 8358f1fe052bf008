import { useIsomorphicEffect } from "@mantine/hooks"
import { titleWithCount } from "./tab-badge.ts"

/**
 * Sets the tab title for the current page. The route's general title may arrive later and is then replaced again. The
 * count in front of the title is left alone.
 */
export function useTabTitle(title: string): void {
  // Stops in the same commit in which the next page, with its own title, is shown.
  useIsomorphicEffect(() => {
    const keep = () => {
      if (titleWithCount(document.title, 0) !== titleWithCount(title, 0)) document.title = title
    }
    keep()
    const observer = new MutationObserver(keep)
    observer.observe(document.head, { childList: true, subtree: true, characterData: true })
    return () => observer.disconnect()
  }, [title])
}
