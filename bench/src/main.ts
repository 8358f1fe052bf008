import path from "node:path"
import { Command } from "commander"
import { openDesk } from "./desk.ts"
import { fillSession } from "./fill-session.ts"
import type { Stage } from "./measurement.ts"
import { measurements } from "./measurements.ts"
import { describeCommit } from "./results/describe-commit.ts"
import { describeMachine } from "./results/describe-machine.ts"
import { saveResults } from "./results/save-results.ts"
import { isReached, type Row, toFigures, toJson, toTable } from "./table.ts"
import { createWorkplace, startProvider } from "./workplace.ts"

const program = new Command("bench")
  .description("Measures Docket with a fake provider, a real server process and a real event stream.")
  .option("--json", "print the rows as JSON")
  .option("--save", "keep the rows in bench/results with the commit and the machine")
  .option("--only <names>", `comma-separated: ${[...new Set(measurements.map((one) => one.name))].join(", ")}`)
  .option("--minutes <n>", "how long the soak works", "10")
  .option("--seed <n>", "what the people of the soak do", String(Date.now() % 1_000_000))
  .parse()
interface Options {
  json?: boolean
  save?: boolean
  only?: string
  minutes: string
  seed: string
}
const { json, save, only, minutes, seed } = program.opts<Options>()
const chosen = measurements.filter(({ name, onlyByName }) => (only ? only.split(",").includes(name) : !onlyByName))
if (chosen.length === 0) program.error(`there is no measurement "${only}"`)
// Before anything is measured, so that nothing is measured in vain.
const origin = save ? { ...describeCommit(import.meta.dirname), machine: describeMachine() } : null

const provider = await startProvider()
const workplace = await createWorkplace(provider.url)
const server = await workplace.startServer()
const desk = await openDesk(server, workplace.project)
let filled: Promise<string> | undefined
const stage: Stage = {
  provider,
  workplace,
  server,
  desk,
  soak: { minutes: Number(minutes), seed: Number(seed) },
  longSession: () => {
    filled ??= fillSession(desk, 501)
    return filled
  },
}

const rows: Row[] = []
try {
  for (const measurement of chosen) {
    process.stderr.write(`… ${measurement.label}\n`)
    rows.push(
      await measurement.measure(stage).then(
        (value) => ({ measurement, value, problem: null }),
        (error: unknown) => ({ measurement, value: null, problem: String(error) }),
      ),
    )
  }
} finally {
  desk.close()
  await server.stop()
  await provider.stop()
  await workplace.remove()
}
for (const { measurement, problem } of rows) if (problem) process.stderr.write(`✗ ${measurement.label}: ${problem}\n`)
console.log(json ? JSON.stringify(toJson(rows), null, 2) : toTable(rows))
if (origin) {
  const results = { ...origin, date: new Date().toISOString(), figures: toFigures(rows) }
  const file = await saveResults(path.join(import.meta.dirname, "../results"), results)
  process.stderr.write(`saved ${path.relative(process.cwd(), file)}\n`)
}
const missed = rows.filter((row) => !isReached(row)).length
if (!json) console.log(missed === 0 ? "\nEvery aim is reached." : `\n${missed} of ${rows.length} aims are not reached.`)
process.exitCode = rows.some((row) => row.problem) ? 1 : 0
