"use client"

import { type ComponentType, type ReactNode, Suspense, useState } from "react"
import type { LaterPart } from "./later-part.ts"
import { PartPlace, WaitingNote } from "./part-place.tsx"
import { useHeldKeys } from "./use-held-keys.ts"

interface OnDemandProps<Props> {
  part: LaterPart<Props>
  face: (open: () => void) => ReactNode
  children: (Part: ComponentType<Props>) => ReactNode
  /** Shows the list without a press, because the caller has opened it. */
  used?: boolean
  /** Called when the user cancels before the part is loaded. */
  onLeave?: () => void
}

/**
 * A control whose list is loaded on the first press, because menus are larger than their pages. Until then `face`
 * renders the closed control; after that `children` renders the loaded `part`, which opens at once. After a failure, a
 * press loads it again.
 */
export function OnDemand<Props>({ part, children, ...props }: OnDemandProps<Props>) {
  const [used, setUsed] = useState(false)
  const [attempt, setAttempt] = useState(() => ({ times: 0, Part: part.latest() }))
  const face = props.face(() => setUsed(true))
  // Stays mounted after closing, because a dialog that it opened may be inside it.
  if (props.used && !used) setUsed(true)
  if (!used && !props.used) return face
  const leave = () => {
    setUsed(false)
    props.onLeave?.()
  }
  const retryFace = props.face(() => setAttempt({ times: attempt.times + 1, Part: part.latest() }))
  return (
    <PartPlace key={attempt.times} plain={retryFace} pressAgain note="corner">
      <Suspense fallback={<Opening onLeave={leave}>{face}</Opening>}>{children(attempt.Part)}</Suspense>
    </PartPlace>
  )
}

/** While the list loads, keys go neither to the page nor to the button; Escape cancels. */
function Opening({ onLeave, children }: { onLeave: () => void; children: ReactNode }) {
  useHeldKeys(onLeave)
  return (
    <>
      {children}
      <WaitingNote note="corner" />
    </>
  )
}
