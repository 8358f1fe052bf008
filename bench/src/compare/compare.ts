import { measureOnce, type Sample } from "../measure-once.ts"
import type { Measurement, Stage } from "../measurement.ts"

/** What one measurement said of two checkouts, sample by sample: those of one index were made one after the other. */
export interface Comparison {
  measurement: Measurement
  before: Sample[]
  now: Sample[]
}

/**
 * Makes each measurement of both stages by turns, `rounds` times, so that what disturbs the machine disturbs both.
 * @param heard is told of each measurement when it is done, because all of them take long
 */
export async function compare(
  measurements: Measurement[],
  stages: { before: Stage; now: Stage },
  { rounds, heard }: { rounds: number; heard(comparison: Comparison): void },
): Promise<Comparison[]> {
  // Measurements that share a run find it by their stage: each round has stages, and so runs, of its own.
  const shared = Array.from({ length: rounds }, () => ({ before: { ...stages.before }, now: { ...stages.now } }))
  const comparisons: Comparison[] = []
  for (const measurement of measurements) {
    const comparison: Comparison = { measurement, before: [], now: [] }
    for (const { before, now } of shared) {
      comparison.before.push(await measureOnce(measurement, before))
      comparison.now.push(await measureOnce(measurement, now))
    }
    comparisons.push(comparison)
    heard(comparison)
  }
  return comparisons
}
