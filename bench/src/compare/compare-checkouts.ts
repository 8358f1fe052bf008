import type { Measurement, Stage } from "../measurement.ts"
import { openStage } from "../open-stage.ts"
import { startProvider } from "../workplace.ts"
import { type Comparison, compare } from "./compare.ts"
import { comparisonTable } from "./comparison-table.ts"

interface Options extends Pick<Stage, "soak"> {
  checkouts: { before: string; now: string }
  rounds: number
}

/**
 * Compares the services of two checkouts. Client, provider and measurements of this checkout are used for both. What an
 * older service cannot do is reported as a failure.
 */
export async function compareCheckouts(measurements: Measurement[], options: Options): Promise<Comparison[]> {
  const { checkouts, rounds, soak } = options
  const provider = await startProvider()
  const before = await openStage({ provider, soak, checkout: checkouts.before })
  const now = await openStage({ provider, soak, checkout: checkouts.now })
  try {
    return await compare(measurements, { before: before.stage, now: now.stage }, { rounds, onMeasured: report })
  } finally {
    await before.close()
    await now.close()
    await provider.stop()
  }
}

function report(comparison: Comparison): void {
  const [, line = ""] = comparisonTable([comparison]).split("\n")
  process.stderr.write(`${line}\n`)
  const problems = [...comparison.before, ...comparison.now].flatMap(({ problem }) => problem ?? [])
  for (const problem of new Set(problems)) process.stderr.write(`✗ ${problem}\n`)
}
