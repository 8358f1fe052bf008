import { type ReplayAxis, stopFrom } from "@docket/core/replay"
import { useEffect, useRef, useState } from "react"

export const speeds = ["1", "10", "events"] as const
/** As fast as it happened, ten times as fast, or from event to event. */
export type Speed = (typeof speeds)[number]

/** Between two pictures (ms): often enough to look like time, and each event alone long enough to be seen. */
const tickMs = { "1": 200, "10": 200, events: 700 } satisfies Record<Speed, number>

export interface Playback {
  /** Epoch ms. */
  at: number
  playing: boolean
  speed: Speed
  setSpeed(speed: Speed): void
  toggle(): void
  /** Goes there and rests. */
  seek(at: number): void
  /** To the next event, or with -1 the one before. */
  step(side: 1 | -1): void
}

/** @param stops times of all events, in order */
export function usePlayback(from: number, axis: ReplayAxis, stops: readonly number[]): Playback {
  const [at, setAt] = useState(() => clamp(from, axis))
  const [playing, setPlaying] = useState(false)
  const [speed, setSpeed] = useState<Speed>("1")
  const latest = useRef(at)
  latest.current = at
  useEffect(() => {
    if (!playing) return
    const ms = tickMs[speed]
    const timer = setInterval(() => {
      const now = latest.current
      const next = speed === "events" ? (stopFrom(stops, now, 1) ?? axis.until) : axis.after(now, ms * Number(speed))
      setAt(next)
      if (next >= axis.until) setPlaying(false)
    }, ms)
    return () => clearInterval(timer)
  }, [playing, speed, axis, stops])
  const seek = (time: number) => {
    setPlaying(false)
    setAt(clamp(time, axis))
  }
  return {
    at,
    playing,
    speed,
    setSpeed,
    toggle() {
      // From the end it begins anew.
      if (!playing && at >= axis.until) setAt(axis.from)
      setPlaying(!playing)
    },
    seek,
    step: (side) => seek(stopFrom(stops, at, side) ?? (side === 1 ? axis.until : axis.from)),
  }
}

function clamp(at: number, { from, until }: ReplayAxis): number {
  return Math.max(from, Math.min(until, at))
}
