import { format } from "../table.ts"
import type { Figure, Results } from "./results.ts"

/** Maximum number of runs in the table, because more do not fit. */
const shownRuns = 6

/** The newest runs side by side, oldest first, as Markdown. `ratio` compares the last two runs of the same machine. */
export function growthTable(results: Results[]): string {
  const runs = results.toSorted((a, b) => a.date.localeCompare(b.date)).slice(-shownRuns)
  const newest = runs.at(-1)
  if (newest === undefined) return ""
  const before = runs.slice(0, -1).findLast(({ machine }) => sameMachine(machine, newest.machine))
  const head = ["measurement", ...runs.map(({ commit, date }) => `${commit.slice(0, 7)} ${date.slice(0, 10)}`), "ratio"]
  const lines = labels(runs).map((label) => [
    label,
    ...runs.map((run) => cell(figureOf(run, label))),
    ratio(figureOf(before, label), figureOf(newest, label)),
  ])
  const machines = runs.map(
    ({ commit, subject, machine: { cpu, cores, memoryGiB, system, node, load } }) =>
      `- \`${commit.slice(0, 7)}\` ${subject}: ${cores} × ${cpu}, ${memoryGiB} GiB, ${system}, Node ${node}, load ${load}`,
  )
  const table = [head, head.map(() => "---"), ...lines].map((cells) => `| ${cells.join(" | ")} |`)
  return [...table, "", ...machines, ""].join("\n")
}

function labels(runs: Results[]): string[] {
  return [...new Set(runs.toReversed().flatMap(({ figures }) => figures.map(({ label }) => label)))]
}

function figureOf(run: Results | undefined, label: string): Figure | undefined {
  return run?.figures.find((figure) => figure.label === label)
}

function cell(figure: Figure | undefined): string {
  if (figure === undefined) return ""
  return figure.measured === null ? "failed" : format(figure.measured, figure.unit)
}

function ratio(before: Figure | undefined, now: Figure | undefined): string {
  if (!before?.measured || now?.measured == null) return ""
  return (now.measured / before.measured).toFixed(2)
}

function sameMachine(a: Results["machine"], b: Results["machine"]): boolean {
  return a.cpu === b.cpu && a.cores === b.cores && a.memoryGiB === b.memoryGiB
}
