"use client"

import { type ReactNode, Suspense, useState } from "react"
import { PartPlace, WaitingNote } from "./part-place.tsx"
import { useHeldKeys } from "./use-held-keys.ts"

interface OnDemandProps {
  face: (open: () => void) => ReactNode
  children: ReactNode
  used?: boolean
  /** The person wanted it no longer before it was there. */
  onLeave?: () => void
}

/**
 * A control whose list is loaded when it is first pressed: `face` draws the closed control until then,
 * `children` the whole one, which opens at once. Menus weigh more than the pages they stand on.
 */
export function OnDemand(props: OnDemandProps) {
  const [used, setUsed] = useState(false)
  const face = props.face(() => setUsed(true))
  // It stays when it closes: what it opened may stand in it.
  if (props.used && !used) setUsed(true)
  if (!used && !props.used) return face
  const leave = () => {
    setUsed(false)
    props.onLeave?.()
  }
  return (
    <PartPlace plain={face} note="corner">
      <Suspense fallback={<Opening onLeave={leave}>{face}</Opening>}>{props.children}</Suspense>
    </PartPlace>
  )
}

/** Until the list is there, keys are neither the page's nor the button's: Escape leaves it closed. */
function Opening({ onLeave, children }: { onLeave: () => void; children: ReactNode }) {
  useHeldKeys(onLeave)
  return (
    <>
      {children}
      <WaitingNote note="corner" />
    </>
  )
}
