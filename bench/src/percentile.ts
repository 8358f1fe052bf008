/** The value below which this share of the values lies; NaN without values. */
export function percentile(values: readonly number[], share: number): number {
  return values.toSorted((left, right) => left - right)[Math.ceil(values.length * share) - 1] ?? Number.NaN
}
