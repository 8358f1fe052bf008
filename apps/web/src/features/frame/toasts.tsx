"use client"

import { lazy, useEffect, useState } from "react"
import { loadPart } from "../../ui/load-part.ts"
import { PartPlace } from "../../ui/part-place.tsx"

const Notifications = lazy(() =>
  loadPart(() => import("@mantine/notifications").then((it) => ({ default: it.Notifications }))),
)

/** Where failed actions show up. It loads after the page: what is shown earlier waits in its store. */
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
