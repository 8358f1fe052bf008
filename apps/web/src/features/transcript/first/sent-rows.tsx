"use client"

import type { FirstRowsProps } from "./first-rows.tsx"
import "./row-styles.ts"

// Replaces `first-rows.tsx` in the browser: the server has rendered the rows, and React leaves them unchanged.

export function FirstRows(_: FirstRowsProps): null {
  return null
}

export function FirstScript() {
  return <script suppressHydrationWarning dangerouslySetInnerHTML={{ __html: "" }} />
}
