"use client"

import { useSearchParams } from "next/navigation"

/**
 * Leads to the same place once more: a link from here brings the login along, which one from another site does not. What
 * the address names stays, but that a password was tried.
 */
export function OpenAgain() {
  const search = new URLSearchParams(useSearchParams())
  search.delete("tried")
  return <a href={`?${search}`}>open it again</a>
}
