import { performance } from "node:perf_hooks"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"

const mebibyte = 1024 * 1024

/** Settings of the memory watch. Times in ms, sizes in bytes. */
export interface ReleaseMemoryOptions {
  interval: number
  /** Share of an interval in which the event loop may be busy while the process still counts as idle. */
  idleShare: number
  /** Minimum growth of the heap since the last collection that makes another one worthwhile. */
  worthwhile: number
  /** Growth of the heap at which even a busy process collects: the pause is then shorter than it would become later. */
  bearable: number
  collect(): void
  /** Memory that the heap has reserved, used or not. */
  heapTotal(): number
}

/**
 * Returns memory to the system after work: on a machine with much memory, V8 keeps garbage for long, and an idle
 * service would keep hundreds of MiB. Collects only while the process is idle (unless the heap has grown beyond
 * `bearable`) and only when the heap has grown; the first time soon after the call, for the garbage of the start. Does
 * not keep the process alive.
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
  /** Size of the heap after the last collection. */
  let heapAfterLast = 0
  const look = () => {
    const { utilization } = performance.eventLoopUtilization(load)
    load = performance.eventLoopUtilization()
    const grown = heapTotal() - heapAfterLast
    if (grown < (utilization > idleShare ? bearable : worthwhile)) return
    collect()
    heapAfterLast = heapTotal()
    load = performance.eventLoopUtilization()
  }
  const timers = [setTimeout(look, interval / 4), setInterval(look, interval)]
  for (const timer of timers) timer.unref()
  return () => timers.forEach(clearTimeout)
}

/**
 * V8's garbage collector, without a command line flag. Only the kind "last-resort" returns empty pages to the system.
 */
function collector(): () => void {
  setFlagsFromString("--expose-gc")
  const gc: unknown = runInNewContext("gc")
  return () => {
    if (typeof gc === "function") gc({ type: "major", execution: "sync", flavor: "last-resort" })
  }
}
