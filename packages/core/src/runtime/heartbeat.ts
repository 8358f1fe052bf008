import { readFileSync, writeFileSync } from "node:fs"
import { nodeTimers, type Timers } from "../ground/concurrency/timers.ts"

/** How often a process that works says that it lives (ms): the most of its work that a crash forgets. */
const beatMs = 5_000

export interface HeartbeatDeps {
  /** Holds the time of the last sign, epoch ms. Its directory is there, or no sign is given. */
  file: string
  clock: () => number
  timers?: Timers
}

/** When the process worked last: what was down afterwards is nobody's working time. */
export interface Heartbeat {
  /** Of the process before this one; null when nothing tells. */
  last: number | null
  /** Gives signs until what it answers with is called. */
  hold(): () => void
}

export function createHeartbeat({ file, clock, timers = nodeTimers }: HeartbeatDeps): Heartbeat {
  let held = 0
  let stop = () => {}
  const beat = () => {
    try {
      writeFileSync(file, String(clock()), { mode: 0o600 })
    } catch {
      // A full disk stops no work: a restart then knows an older time.
    }
  }
  const last = readHeartbeat(file)
  return {
    last,
    hold() {
      held += 1
      if (held === 1) {
        beat()
        stop = timers.every(beatMs, beat)
      }
      return () => {
        held -= 1
        if (held === 0) stop()
      }
    },
  }
}

function readHeartbeat(file: string): number | null {
  try {
    const at = Number(readFileSync(file, "utf8"))
    return Number.isSafeInteger(at) && at > 0 ? at : null
  } catch {
    return null
  }
}
