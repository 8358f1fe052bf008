import path from "node:path"
import { Command } from "commander"
import { compareCheckouts } from "./compare/compare-checkouts.ts"
import { comparisonTable, medianOf } from "./compare/comparison-table.ts"
import { measureCheckout } from "./measure-checkout.ts"
import type { Measurement } from "./measurement.ts"
import { measurements } from "./measurements.ts"
import { describeOrigin, type Origin } from "./results/describe-origin.ts"
import { saveResults } from "./results/save-results.ts"
import type { SoakOptions } from "./soak/run-soak.ts"
import { isReached, toFigures, toJson, toTable } from "./table.ts"
import { ownCheckout } from "./workplace.ts"

const program = new Command("bench")
  .description("Measures Docket with a fake provider, a real server process and a real event stream.")
  .option("--json", "print the rows as JSON")
  .option("--save", "keep the rows in bench/results with the commit and the machine")
  .option("--only <names>", `comma-separated: ${[...new Set(measurements.map((one) => one.name))].join(", ")}`)
  .option("--against <directory>", "measure the service of another checkout too, alternately with this one's")
  .option("--rounds <n>", "how often each of the two is measured", "3")
  .option("--minutes <n>", "how long the soak runs", "10")
  .option("--seed <n>", "decides what the people of the soak do", String(Date.now() % 1_000_000))
  .parse()
interface Options extends Record<"rounds" | "minutes" | "seed", string> {
  json?: boolean
  save?: boolean
  only?: string
  against?: string
}
const options = program.opts<Options>()
const soak: SoakOptions = { minutes: Number(options.minutes), seed: Number(options.seed) }

if (options.against === undefined) await measureHere(choose(), options)
else await measureBoth(choose(), { ...options, against: path.resolve(options.against) })

/** The measurements that the options choose; without a choice, all except those that run only by name. */
function choose(): Measurement[] {
  const { only, against } = options
  const chosen = measurements
    .filter(({ name, onlyByName }) => (only ? only.split(",").includes(name) : !onlyByName))
    .filter(({ inProcess }) => against === undefined || !inProcess)
  if (chosen.length === 0) program.error(`there is no measurement "${only}"${against ? " of a service" : ""}`)
  return chosen
}

async function measureHere(chosen: Measurement[], { json, save }: Options): Promise<void> {
  // Checked first, because it may throw, and a long measurement would be lost.
  const origin = save ? describeOrigin(ownCheckout) : null
  const rows = await measureCheckout(chosen, { checkout: ownCheckout, soak })
  for (const { measurement, problem } of rows) if (problem) tell(`✗ ${measurement.label}: ${problem}`)
  console.log(json ? JSON.stringify(toJson(rows), null, 2) : toTable(rows))
  for (const words of new Set(rows.flatMap(({ measurement }) => measurement.conditions ?? []))) tell(`\n${words}`)
  if (origin) await keep(origin, toFigures(rows))
  const missed = rows.filter((row) => !isReached(row)).length
  if (!json)
    console.log(missed === 0 ? "\nEvery aim is reached." : `\n${missed} of ${rows.length} aims are not reached.`)
  process.exitCode = rows.some((row) => row.problem) ? 1 : 0
}

async function measureBoth(chosen: Measurement[], { json, save, ...options }: Options & { against: string }) {
  const checkouts = { before: options.against, now: ownCheckout }
  const origins = save ? { before: describeOrigin(checkouts.before), now: describeOrigin(checkouts.now) } : null
  const comparisons = await compareCheckouts(chosen, { checkouts, soak, rounds: Number(options.rounds) })
  console.log(json ? JSON.stringify(comparisons, null, 2) : comparisonTable(comparisons))
  for (const side of ["before", "now"] as const) {
    const rows = comparisons.map((comparison) => ({ ...comparison, value: medianOf(comparison[side]) }))
    if (origins) await keep(origins[side], toFigures(rows))
  }
}

async function keep(origin: Origin, figures: ReturnType<typeof toFigures>): Promise<void> {
  const results = { ...origin, date: new Date().toISOString(), figures }
  const file = await saveResults(path.join(ownCheckout, "bench/results"), results)
  tell(`saved ${path.relative(process.cwd(), file)}`)
}

function tell(line: string): void {
  process.stderr.write(`${line}\n`)
}
