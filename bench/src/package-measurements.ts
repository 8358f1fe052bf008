import { execFile } from "node:child_process"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { promisify } from "node:util"
import type { Measurement, Stage } from "./measurement.ts"
import { median } from "./median.ts"
import { onceAStage } from "./once-a-stage.ts"
import { idleMemory } from "./resident-memory.ts"
import { timeToHealth } from "./time-to-health.ts"
import { createWorkplace } from "./workplace.ts"

const run = promisify(execFile)
const visits = 5

/** The package that users install, built from the checkout. The web app has to be built. */
export const packageMeasurements: Measurement[] = [
  row("package-start", "installed: start to health / of a checkout", { unit: "×", aim: 0.7 }, ({ health }) => health),
  row("package-page", "installed: start to the first page", { unit: "ms", aim: 1_000 }, ({ page }) => page),
  row("package-idle", "installed: memory idle, with web app", { unit: "MiB", aim: 140 }, ({ idle }) => idle),
]

interface PackageFigures {
  /** Of the time that a start from the checkout takes. */
  health: number
  /** Milliseconds. */
  page: number
  /** MiB. */
  idle: number
}

function row(
  name: string,
  label: string,
  { unit, aim }: Pick<Measurement, "unit" | "aim">,
  pick: (of: PackageFigures) => number,
): Measurement {
  return { ...{ name, label, unit, aim, opencode: "–" }, measure: async (stage) => pick(await figures(stage)) }
}

const figures = onceAStage(async (stage: Stage): Promise<PackageFigures> => {
  const directory = await mkdtemp(path.join(tmpdir(), "docket-bench-package-"))
  try {
    const builder = path.join(stage.checkout, "packages/release/src/build.ts")
    for (const part of [[], ["--web"]]) await run(process.execPath, [builder, "--directory", directory, ...part])
    const program = path.join(directory, "dist/server.js")
    const health = (await timeToHealth(stage, program)) / (await timeToHealth(stage))
    return { health, ...(await visit(stage, program)) }
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
})

async function visit(stage: Stage, program: string): Promise<Pick<PackageFigures, "page" | "idle">> {
  const pages: number[] = []
  const idle: number[] = []
  const workplace = await createWorkplace(stage)
  try {
    await (await workplace.startServer({ program })).stop()
    for (let visited = 0; visited < visits; visited++) {
      const start = performance.now()
      // It waits for the first page.
      const server = await workplace.startServer({ program, web: true })
      pages.push(performance.now() - start)
      idle.push(await idleMemory(server))
      await server.stop()
    }
  } finally {
    await workplace.remove()
  }
  return { page: median(pages), idle: median(idle) }
}
