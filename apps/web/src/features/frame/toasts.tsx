"use client"

import { lazy, useEffect, useState } from "react"
import { loadPart } from "../../ui/load-part.ts"
import { PartPlace } from "../../ui/part-place.tsx"

const Notifications = lazy(() =>
  loadPart(() => import("@mantine/notifications").then((it) => ({ default: it.Notifications }))),
)

/** Pause after the page is shown (ms): until then the page itself gets ready to be used. */
const loadAfterMs = 1_000

/** Shows messages about failed actions. It loads after the page: earlier messages wait in their store. */
export function Toasts() {
  const [due, setDue] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setDue(true), loadAfterMs)
    return () => clearTimeout(timer)
  }, [])
  if (!due) return null
  return (
    <PartPlace note="corner">
      <Notifications position="bottom-right" limit={3} />
    </PartPlace>
  )
}
