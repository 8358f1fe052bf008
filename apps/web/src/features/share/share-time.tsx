"use client"

import { useEffect, useState } from "react"
import { formatClock, formatDay } from "../../ui/format.ts"

/**
 * A time of day (epoch ms), with its day where `day` is set: in UTC as the server writes it, then in the reader's own
 * zone, which only the browser knows.
 */
export function ShareTime({ time, day = false }: { time: number; day?: boolean }) {
  const [isHere, setHere] = useState(false)
  useEffect(() => setHere(true), [])
  const words = (zone?: "UTC") => (day ? `${formatDay(time, zone)}, ` : "") + formatClock(time, zone)
  return <time dateTime={new Date(time).toISOString()}>{isHere ? words() : `${words("UTC")} UTC`}</time>
}
