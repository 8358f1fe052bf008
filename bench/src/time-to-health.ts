import { setTimeout as delay } from "node:timers/promises"
import type { Stage } from "./measurement.ts"
import { median } from "./median.ts"
import { createWorkplace, freePort } from "./workplace.ts"

const runs = 5

/**
 * The time (ms) from the start of a service to its first answer.
 * @param program what to start, absolute; the checkout's own when left out
 */
export async function timeToHealth(stage: Stage, program?: string): Promise<number> {
  const values: number[] = []
  for (let run = 0; run < runs; run++) {
    const workplace = await createWorkplace(stage)
    const started = { ...(program !== undefined && { program }) }
    // The first start migrates a new database; users wait for later starts.
    await (await workplace.startServer(started)).stop()
    const port = await freePort()
    const start = performance.now()
    const starting = workplace.startServer({ ...started, port })
    while (!(await isHealthy(port))) await delay(5)
    values.push(performance.now() - start)
    await (await starting).stop()
    await workplace.remove()
  }
  return median(values)
}

async function isHealthy(port: number): Promise<boolean> {
  return await fetch(`http://127.0.0.1:${port}/api/health`).then(
    (response) => response.ok,
    () => false,
  )
}
