import type { NodeUse } from "@docket/core/schema"

/** What this process uses: its processors since the last call, or since its start. */
export function createProcessUse(): () => Omit<NodeUse, "lag"> {
  let at = -process.uptime() * 1_000 + performance.now()
  let before = { user: 0, system: 0 }
  let last = 0
  return () => {
    const now = performance.now()
    // Of two calls in one moment, the second would divide by nothing.
    if (now - at >= shortest) {
      const { user, system } = process.cpuUsage(before)
      last = (user + system) / 1_000 / (now - at)
      before = process.cpuUsage()
      at = now
    }
    return { memory: process.memoryUsage.rss(), processors: Math.round(last * 100) / 100 }
  }
}

/** ms */
const shortest = 500
