import { measureOnce } from "./measure-once.ts"
import type { Measurement, Stage } from "./measurement.ts"
import { openStage } from "./open-stage.ts"
import type { Row } from "./table.ts"
import { startProvider } from "./workplace.ts"

/** Runs the measurements one after another, on one server of the checkout. */
export async function measureCheckout(
  measurements: Measurement[],
  options: Pick<Stage, "checkout" | "soak">,
): Promise<Row[]> {
  const provider = await startProvider()
  const { stage, close } = await openStage({ provider, ...options })
  const rows: Row[] = []
  try {
    for (const measurement of measurements) {
      process.stderr.write(`… ${measurement.label}\n`)
      rows.push({ measurement, ...(await measureOnce(measurement, stage)) })
    }
  } finally {
    await close()
    await provider.stop()
  }
  return rows
}
