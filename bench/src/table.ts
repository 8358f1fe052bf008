import type { Sample } from "./measure-once.ts"
import type { Measurement } from "./measurement.ts"
import type { Figure } from "./results/results.ts"

export interface Row extends Pick<Sample, "value" | "problem"> {
  measurement: Measurement
}

export function isReached({ measurement, value }: Row): boolean {
  return value !== null && value <= measurement.aim
}

export function toTable(rows: Row[]): string {
  const cells = rows.map((row) => [
    row.measurement.label,
    row.value === null ? "failed" : format(row.value, row.measurement.unit),
    `≤ ${format(row.measurement.aim, row.measurement.unit)}`,
    row.measurement.opencode,
    isReached(row) ? "ok" : "not",
  ])
  return alignColumns([["measurement", "Docket", "aim", "OpenCode 1.18.33", ""], ...cells])
}

export function alignColumns(lines: string[][]): string {
  const widths = lines[0]?.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0))) ?? []
  return lines.map((line) => line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  ")).join("\n")
}

/** The rows for `--json`. */
export function toJson(rows: Row[]): object[] {
  return rows.map((row) => ({
    name: row.measurement.name,
    unit: row.measurement.unit,
    measured: row.value,
    aim: row.measurement.aim,
    opencode: row.measurement.opencode,
    ok: isReached(row),
    ...(row.problem && { problem: row.problem }),
  }))
}

/** The rows in the form in which they are saved. */
export function toFigures(rows: Pick<Row, "measurement" | "value">[]): Figure[] {
  return rows.map(({ measurement: { name, label, unit, aim }, value }) => ({ name, label, unit, measured: value, aim }))
}

export function format(value: number, unit: Measurement["unit"]): string {
  if (unit === "ms") return value >= 1_000 ? `${(value / 1_000).toFixed(2)} s` : `${milliseconds(value)} ms`
  if (unit === "") return String(value)
  return unit === "MiB" ? `${Math.round(value)} MiB` : `${value.toFixed(2)} ×`
}

/** To one decimal; very small values to two significant digits. */
function milliseconds(value: number): string {
  return value > 0 && value < 0.05 ? value.toPrecision(2) : value.toFixed(1)
}
