"use client"

import { type ReactNode, Suspense, useState } from "react"

/**
 * A control whose list is loaded when it is first pressed: `face` draws the closed control until then,
 * `children` the whole one, which opens at once. Menus weigh more than the pages they stand on.
 */
export function OnDemand(props: { face: (open: () => void) => ReactNode; children: ReactNode; used?: boolean }) {
  const [used, setUsed] = useState(false)
  const face = props.face(() => setUsed(true))
  // It stays when it closes: what it opened may stand in it.
  if (props.used && !used) setUsed(true)
  if (!used && !props.used) return face
  return <Suspense fallback={face}>{props.children}</Suspense>
}
