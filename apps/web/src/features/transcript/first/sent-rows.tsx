"use client"

import "./row-styles.ts"

// What stands for `first-rows.tsx` in a browser: the server has drawn it, and it stays as it is.

export function FirstRows(): null {
  return null
}

export function FirstScript() {
  return <script suppressHydrationWarning dangerouslySetInnerHTML={{ __html: "" }} />
}
