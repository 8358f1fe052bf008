"use client"

import { FirstRows } from "#first-rows"
import type { FirstRowsProps } from "./first-rows.tsx"

/** What finds it in the page. */
export const firstWindow = "[data-first]"

/**
 * The rows that the page brought along, as the server drew them, until the live list stands in their place. In a browser
 * nothing in it is React's: it needs neither code nor data there, and nothing that happens on the page draws it again.
 */
export function FirstWindow({ className, ...rows }: FirstRowsProps & { className: string | undefined }) {
  const place = { className, "data-first": "", "data-session": rows.sessionID, "data-part": rows.part ?? undefined }
  if (typeof window !== "undefined")
    return <div {...place} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: "" }} />
  return (
    <div {...place}>
      <FirstRows {...rows} />
    </div>
  )
}
