import type { Sample } from "../measure-once.ts"
import { median } from "../median.ts"
import { alignColumns, format } from "../table.ts"
import type { Comparison } from "./compare.ts"

/** Below this processor time (ms), a difference may come from the resolution of the clock. */
const leastProcessorTime = 200

/** The median of the samples that did not fail, or null. */
export function medianOf(samples: Sample[]): number | null {
  const values = valuesOf(samples)
  return values.length === 0 ? null : median(values)
}

/**
 * Both checkouts side by side: medians, their ratio, the ratio of the best samples (which other programs disturb
 * least), and the ratio of the servers' processor time.
 */
export function comparisonTable(comparisons: Comparison[]): string {
  const head = ["measurement", "before", "now", "ratio", "of the best", "of processor time", "aim"]
  return alignColumns([head, ...comparisons.map(cells)])
}

function cells({ measurement: { label, unit, aim }, before, now }: Comparison): string[] {
  return [
    label,
    cell(medianOf(before), unit),
    cell(medianOf(now), unit),
    ratio(medianOf(before), medianOf(now)),
    ratio(least(before), least(now)),
    ratio(processorTime(before), processorTime(now)),
    `≤ ${format(aim, unit)}`,
  ]
}

function cell(value: number | null, unit: Comparison["measurement"]["unit"]): string {
  return value === null ? "failed" : format(value, unit)
}

function ratio(before: number | null, now: number | null): string {
  return before === null || now === null || before === 0 ? "" : (now / before).toFixed(2)
}

function least(samples: Sample[]): number | null {
  const values = valuesOf(samples)
  return values.length === 0 ? null : Math.min(...values)
}

function valuesOf(samples: Sample[]): number[] {
  return samples.flatMap(({ value }) => value ?? [])
}

/** Null when it is not known, or when the server did almost nothing because the measurement does not use it. */
function processorTime(samples: Sample[]): number | null {
  const times = samples.flatMap(({ processor }) => processor ?? [])
  const middle = median(times)
  return middle >= leastProcessorTime ? middle : null
}
