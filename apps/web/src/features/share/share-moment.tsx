"use client"

import { useEffect, useState } from "react"
import { formatClock, formatDay } from "../../ui/format.ts"

/**
 * A time of day (epoch ms), with its day where `day` is set: in UTC as the server writes it, then in the reader's own
 * zone, which only the browser knows.
 */
export function ShareMoment({ time, day = false }: { time: number; day?: boolean }) {
  const [local, setLocal] = useState<string | null>(null)
  const words = (zone?: "UTC") => (day ? `${formatDay(time, zone)}, ` : "") + formatClock(time, zone)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the words are those of the time
  useEffect(() => setLocal(words()), [time, day])
  return <time dateTime={new Date(time).toISOString()}>{local ?? `${words("UTC")} UTC`}</time>
}
