"use client"

import { lazy, useEffect, useState } from "react"
import { loadPart } from "../../ui/load-part.ts"
import { PartPlace } from "../../ui/part-place.tsx"

const Notifications = lazy(() =>
  loadPart(() => import("@mantine/notifications").then((it) => ({ default: it.Notifications }))),
)

/** Shows messages about failed actions. It loads after the page: earlier messages wait in their store. */
export function Toasts() {
  const [late, setLate] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), 1_000)
    return () => clearTimeout(timer)
  }, [])
  if (!late) return null
  return (
    <PartPlace note="corner">
      <Notifications position="bottom-right" limit={3} />
    </PartPlace>
  )
}
