import { performance } from "node:perf_hooks"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"

const mebibyte = 1024 * 1024

/** How memory is watched. Times in ms, sizes in bytes. */
export interface ReleaseMemoryOptions {
  interval: number
  /** Share of an interval in which the event loop may be busy and the process still count as idle. */
  idleShare: number
  /** Growth of the heap since the last collection that is worth one. */
  worthwhile: number
  /** Growth of the heap that is collected of a busy process too: the pause is shorter than what it would grow to. */
  bearable: number
  collect(): void
  /** What the heap holds of the system's memory, used or not. */
  heapTotal(): number
}

/**
 * Gives memory back after work: with much memory in the machine V8 lets garbage lie for long, and a
 * service that waits for its next prompt would keep hundreds of MiB. Collects only while the process is
 * idle, unless the heap has grown by more than is bearable, and only when the heap has grown: the first time soon after
 * the call, for what a start leaves behind. Does not keep the process alive.
 * @returns stops watching
 */
export function releaseMemoryWhenIdle(options: Partial<ReleaseMemoryOptions> = {}): () => void {
  const {
    interval = 2_000,
    idleShare = 0.05,
    worthwhile = 24 * mebibyte,
    bearable = Number.POSITIVE_INFINITY,
  } = options
  const heapTotal = options.heapTotal ?? (() => process.memoryUsage().heapTotal)
  const collect = options.collect ?? collector()
  let load = performance.eventLoopUtilization()
  let settled = 0
  const look = () => {
    const { utilization } = performance.eventLoopUtilization(load)
    load = performance.eventLoopUtilization()
    const grown = heapTotal() - settled
    if (grown < (utilization > idleShare ? bearable : worthwhile)) return
    collect()
    settled = heapTotal()
    load = performance.eventLoopUtilization()
  }
  const timers = [setTimeout(look, interval / 4), setInterval(look, interval)]
  for (const timer of timers) timer.unref()
  return () => timers.forEach(clearTimeout)
}

/**
 * V8's collector, without the flag on the command line that a user would have to give. Of its flavours
 * only "last-resort" gives the emptied pages back to the system.
 */
function collector(): () => void {
  setFlagsFromString("--expose-gc")
  const gc: unknown = runInNewContext("gc")
  return () => {
    if (typeof gc === "function") gc({ type: "major", execution: "sync", flavor: "last-resort" })
  }
}
