"use client"

import { useEffect, useState } from "react"
import { formatClock, formatDay } from "../../ui/format.ts"

/**
 * A time of day (epoch ms), with its date if `day` is set. The server writes UTC; the browser then replaces it with the
 * viewer's time zone.
 */
export function ShareTime({ time, day = false }: { time: number; day?: boolean }) {
  const [isHere, setHere] = useState(false)
  useEffect(() => setHere(true), [])
  const words = (zone?: "UTC") => (day ? `${formatDay(time, zone)}, ` : "") + formatClock(time, zone)
  return <time dateTime={new Date(time).toISOString()}>{isHere ? words() : `${words("UTC")} UTC`}</time>
}
