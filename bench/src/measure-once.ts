import type { Measurement, Stage } from "./measurement.ts"
import { processorTime } from "./processor-time.ts"

/** The result of one run of a measurement. */
export interface Sample {
  /** Null when it failed; `problem` says why. */
  value: number | null
  problem: string | null
  /**
   * Processor time (ms) of the stage's server during the run, including preparations; null where the system does not
   * report it.
   */
  processor: number | null
}

export async function measureOnce(measurement: Measurement, stage: Stage): Promise<Sample> {
  const before = processorTime(stage.server.pid)
  const outcome = await measurement.measure(stage).then(
    (value) => ({ value, problem: null }),
    (error: unknown) => ({ value: null, problem: String(error) }),
  )
  const after = processorTime(stage.server.pid)
  return { ...outcome, processor: before === null || after === null ? null : after - before }
}
