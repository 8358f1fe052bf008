import { readFileSync, writeFileSync } from "node:fs"
import { nodeTimers, type Timers } from "../ground/concurrency/timers.ts"

/** The interval (ms), and so the most working time that a crash can lose. */
const beatMs = 5_000

export interface HeartbeatDeps {
  /** Holds the time of the last heartbeat (epoch ms). Without its directory none is written. */
  file: string
  clock: () => number
  timers?: Timers
}

/** Records when the process last worked, so that downtime does not count as working time. */
export interface Heartbeat {
  /** The last heartbeat of the previous process; null when unknown. */
  last: number | null
  /** Writes heartbeats until the returned function is called. */
  hold(): () => void
}

export function createHeartbeat({ file, clock, timers = nodeTimers }: HeartbeatDeps): Heartbeat {
  let holders = 0
  let stop = () => {}
  // A time has as many digits as the one before and is written over it: emptying a file first takes far longer.
  let flag = "w"
  const beat = () => {
    try {
      writeFileSync(file, String(clock()), { mode: 0o600, flag })
      flag = "r+"
    } catch {
      // A full disk must not stop work; a restart then reads an older time. The next beat makes a missing file again.
      flag = "w"
    }
  }
  const last = readHeartbeat(file)
  return {
    last,
    hold() {
      holders += 1
      if (holders === 1) {
        beat()
        stop = timers.every(beatMs, beat)
      }
      return () => {
        holders -= 1
        if (holders === 0) stop()
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
