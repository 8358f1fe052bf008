"use client"

import { useEffect, useState } from "react"

const utc = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", timeZone: "UTC" })
const utcDay = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "long", year: "numeric", timeZone: "UTC" })

/**
 * A time of day (epoch ms), with its day where `day` is set: in UTC as the server writes it, then in the reader's own
 * zone, which only the browser knows.
 */
export function ShareMoment({ time, day = false }: { time: number; day?: boolean }) {
  const [local, setLocal] = useState<string | null>(null)
  useEffect(() => {
    const clock = new Date(time).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" })
    const date = new Date(time).toLocaleDateString([], { day: "numeric", month: "long", year: "numeric" })
    setLocal(day ? `${date}, ${clock}` : clock)
  }, [time, day])
  const written = `${day ? `${utcDay.format(time)}, ` : ""}${utc.format(time)} UTC`
  return <time dateTime={new Date(time).toISOString()}>{local ?? written}</time>
}
