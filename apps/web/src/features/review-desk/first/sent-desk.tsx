"use client"

import "../../transcript/first/row-styles.ts"
import type { FirstDeskProps } from "./first-desk.tsx"

/** Replaces `first-desk.tsx` in the browser: the server has rendered the desk, and React leaves it unchanged. */
export function FirstDesk(_: FirstDeskProps): null {
  return null
}
