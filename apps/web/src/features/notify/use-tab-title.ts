import { useIsomorphicEffect } from "@mantine/hooks"
import { titleWithCount } from "./tab-badge.ts"

/**
 * Names the tab after what the page shows. The title that the route has for all its pages may come after that, while
 * the page shows already: it does not stay. The count is not the page's.
 */
export function useTabTitle(title: string): void {
  // Ends in the same commit in which another page shows, which has its own title then.
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
