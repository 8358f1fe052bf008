"use client"

import type { FirstRowsProps } from "./first-rows.tsx"
import "./row-styles.ts"

// What stands for `first-rows.tsx` in a browser: the server has drawn it, and it stays as it is.

export function FirstRows(_: FirstRowsProps): null {
  return null
}

export function FirstScript() {
  return <script suppressHydrationWarning dangerouslySetInnerHTML={{ __html: "" }} />
}
