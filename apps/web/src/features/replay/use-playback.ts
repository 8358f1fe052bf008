import { type ReplayAxis, stopFrom } from "@docket/core/replay"
import { useEffect, useRef, useState } from "react"

export const speeds = ["1", "10", "events"] as const
/** Real time, ten times faster, or from event to event. */
export type Speed = (typeof speeds)[number]

/** Time between two frames (ms): often enough to look continuous; in event mode, long enough to see each event. */
const tickMs = { "1": 200, "10": 200, events: 700 } satisfies Record<Speed, number>

export interface Playback {
  /** Epoch ms. */
  at: number
  playing: boolean
  speed: Speed
  setSpeed(speed: Speed): void
  toggle(): void
  /** Moves to a time and stays there. */
  seek(at: number): void
  /** Moves to the next event, or with -1 to the previous one. */
  step(side: 1 | -1): void
}

/** @param stops times of all events, sorted */
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
      // At the end, playback starts again from the beginning.
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
