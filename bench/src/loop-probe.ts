import { writeFileSync } from "node:fs"
import { monitorEventLoopDelay } from "node:perf_hooks"

// Preloaded into a measured server: on SIGUSR2 it writes the longest block of the event loop since the last
// signal (ms) to the file that DOCKET_BENCH_LOOP names.

const resolution = 5
const delay = monitorEventLoopDelay({ resolution })
delay.enable()
process.on("SIGUSR2", () => {
  // A timer of `resolution` ms is what it measures with: what is over that is the block.
  const block = Math.max(0, delay.max / 1e6 - resolution)
  delay.reset()
  const file = process.env.DOCKET_BENCH_LOOP
  if (file) writeFileSync(file, JSON.stringify({ block, at: Date.now() }))
})
