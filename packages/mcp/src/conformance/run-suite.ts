// Runs the conformance suite for clients, one scenario after another, and says how many passed.
import { parseArgs } from "node:util"
import { runScenario } from "./run-scenario.ts"
import { scenarios } from "./scenarios.ts"

const { values } = parseArgs({ options: { only: { type: "string" }, verbose: { type: "boolean", default: false } } })
const names = scenarios.filter((name) => values.only === undefined || name.includes(values.only))
const print = (text: string) => void process.stdout.write(`${text}\n`)
let passed = 0
for (const name of names) {
  const { isPassed, successes, failures, output } = await runScenario(name)
  if (isPassed) passed += 1
  print([`${isPassed ? "✓" : "✗"} ${name}: ${successes} checks passed`, ...failures].join("\n    "))
  if (values.verbose) print(output)
}
print(`\n${passed} of ${names.length}`)
process.exitCode = passed === names.length ? 0 : 1
