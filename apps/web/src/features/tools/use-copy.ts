import { useEffect, useState } from "react"
import { useAnnounce } from "../../shell/announcer.tsx"
import { showProblem } from "../../shell/show-problem.ts"

/** How long a button shows that it has copied (ms). */
const shownFor = 2_000

/** Copies text and reports it, visually and to screen readers. */
export function useCopy() {
  const announce = useAnnounce()
  const [copied, setCopied] = useState(0)
  useEffect(() => {
    if (copied === 0) return
    const timer = setTimeout(() => setCopied(0), shownFor)
    return () => clearTimeout(timer)
  }, [copied])
  const copy = async (text: string, what: string) => {
    try {
      // Pages without HTTPS have no clipboard at all.
      await navigator.clipboard.writeText(text)
    } catch {
      void showProblem(new Error("The browser did not let it be copied. Select the text and copy it by hand."))
      return
    }
    setCopied((count) => count + 1)
    announce(`${what} is copied`)
  }
  return { copied: copied > 0, copy }
}
