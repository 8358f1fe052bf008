"use client"

import { type ComponentType, type ReactNode, Suspense, useState } from "react"
import type { LaterPart } from "./later-part.ts"
import { PartPlace, WaitingNote } from "./part-place.tsx"
import { useHeldKeys } from "./use-held-keys.ts"

interface OnDemandProps<Props> {
  part: LaterPart<Props>
  face: (open: () => void) => ReactNode
  children: (Part: ComponentType<Props>) => ReactNode
  used?: boolean
  /** The person wanted it no longer before it was there. */
  onLeave?: () => void
}

/**
 * A control whose list is loaded when it is first pressed: `face` draws the closed control until then, `children` the
 * whole one by the `part` that was loaded, which opens at once. Menus weigh more than the pages they stand on. A press
 * after it did not come asks for it again.
 */
export function OnDemand<Props>({ part, children, ...props }: OnDemandProps<Props>) {
  const [used, setUsed] = useState(false)
  const [asked, setAsked] = useState(() => ({ times: 0, Part: part.latest() }))
  const face = props.face(() => setUsed(true))
  // It stays when it closes: what it opened may stand in it.
  if (props.used && !used) setUsed(true)
  if (!used && !props.used) return face
  const leave = () => {
    setUsed(false)
    props.onLeave?.()
  }
  const again = props.face(() => setAsked({ times: asked.times + 1, Part: part.latest() }))
  return (
    <PartPlace key={asked.times} plain={again} pressAgain note="corner">
      <Suspense fallback={<Opening onLeave={leave}>{face}</Opening>}>{children(asked.Part)}</Suspense>
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
