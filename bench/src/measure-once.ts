import type { Measurement, Stage } from "./measurement.ts"
import { processorTime } from "./processor-time.ts"

/** One measurement, made once. */
export interface Sample {
  /** Null when it failed; `problem` says why. */
  value: number | null
  problem: string | null
  /** Processor time (ms) of the stage's server meanwhile, preparations included; null where the system does not tell. */
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
