import { measureOnce, type Sample } from "../measure-once.ts"
import type { Measurement, Stage } from "../measurement.ts"

/** The results of one measurement for two checkouts: samples with the same index were taken one after the other. */
export interface Comparison {
  measurement: Measurement
  before: Sample[]
  now: Sample[]
}

/**
 * Runs each measurement on both stages alternately, `rounds` times, so that disturbances of the machine affect both.
 * @param options `onMeasured` is called after each measurement, because all of them take long
 */
export async function compare(
  measurements: Measurement[],
  stages: { before: Stage; now: Stage },
  { rounds, onMeasured }: { rounds: number; onMeasured(comparison: Comparison): void },
): Promise<Comparison[]> {
  // Measurements share a run per stage object, so each round gets new stage objects and thus new runs.
  const shared = Array.from({ length: rounds }, () => ({ before: { ...stages.before }, now: { ...stages.now } }))
  const comparisons: Comparison[] = []
  for (const measurement of measurements) {
    const comparison: Comparison = { measurement, before: [], now: [] }
    for (const { before, now } of shared) {
      comparison.before.push(await measureOnce(measurement, before))
      comparison.now.push(await measureOnce(measurement, now))
    }
    comparisons.push(comparison)
    onMeasured(comparison)
  }
  return comparisons
}
