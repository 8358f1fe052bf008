"use client"

import { useSearchParams } from "next/navigation"

/**
 * Opens the same address once more. A link on this site sends the login cookie, a link from another site does not. The
 * query is kept, except for the mark of a password attempt.
 */
export function OpenAgain() {
  const search = new URLSearchParams(useSearchParams())
  search.delete("tried")
  return <a href={`?${search}`}>open it again</a>
}
