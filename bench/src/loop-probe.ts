import { writeFileSync } from "node:fs"
import { monitorEventLoopDelay } from "node:perf_hooks"

// Preloaded into a measured server. On SIGUSR2 it writes the longest block of the event loop since the previous signal
// (ms) to the file in DOCKET_BENCH_LOOP.

const resolution = 5
const delay = monitorEventLoopDelay({ resolution })
delay.enable()
process.on("SIGUSR2", () => {
  // The monitor uses a timer of `resolution` ms; only the time beyond it is a block.
  const block = Math.max(0, delay.max / 1e6 - resolution)
  delay.reset()
  const file = process.env.DOCKET_BENCH_LOOP
  if (file) writeFileSync(file, JSON.stringify({ block, at: Date.now() }))
})
