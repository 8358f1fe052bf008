"use client"

import "../../transcript/first/row-styles.ts"
import type { FirstDeskProps } from "./first-desk.tsx"

/** What stands for `first-desk.tsx` in a browser: the server has drawn it, and it stays as it is. */
export function FirstDesk(_: FirstDeskProps): null {
  return null
}
