import { existsSync } from "node:fs"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import { startCluster } from "./cluster.ts"
import { playRow } from "./play-row.ts"
import { reportLine } from "./report.ts"
import type { RoundResult } from "./round.ts"
import { allRows } from "./rows/all-rows.ts"

// Breaks nodes in every way that they have to survive: pnpm rig [--row 5] [--rounds 20] [--seed N]
const { values } = parseArgs({
  options: {
    row: { type: "string", multiple: true },
    rounds: { type: "string", default: "20" },
    seed: { type: "string", default: String(Date.now() % 1e6) },
  },
})
const chosen = allRows.filter(({ name }) => values.row === undefined || values.row.includes(name))
const [rounds, seed] = [Number(values.rounds), Number(values.seed)]
if (chosen.length === 0 || !(rounds >= 1) || !Number.isInteger(seed)) {
  console.error(`--row takes ${allRows.map(({ name }) => name).join(", ")}; --rounds and --seed take numbers`)
  process.exit(1)
}

// Whatever ends it, what it made is removed: that is done when the process exits.
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(130))

const root = fileURLToPath(new URL("../../..", import.meta.url))
const folder = path.join(root, "test-results", "rig")
const logs = await mkdtemp(path.join(tmpdir(), "docket-rig-logs-"))
const hasPages = existsSync(path.join(root, "apps/web/.next/BUILD_ID"))
const began = performance.now()
const cluster = await startCluster({ logs, hasPages })
if (typeof cluster === "string") {
  console.log(`The rig cannot run here: ${cluster}`)
  process.exit(0)
}
const without = [
  ...(hasPages ? [] : ["the web app (it is not built)"]),
  ...(cluster.hasWrongClocks ? [] : ["wrong clocks (libfaketime is not there)"]),
]
console.log(
  `${rounds} rounds of ${chosen.length} rows, seed ${seed}${without.map((what) => `, without ${what}`).join("")}`,
)
const all: RoundResult[] = []
try {
  for (const row of chosen) {
    const results = await playRow(cluster, row, { rounds, seed, folder, onFault: console.log })
    console.log(reportLine(row, results))
    all.push(...results)
  }
} finally {
  await cluster.close()
  await rm(logs, { recursive: true, force: true })
}
console.log(`${Math.round((performance.now() - began) / 60_000)} minutes`)
process.exitCode = all.some(({ faults }) => faults.length > 0) ? 1 : 0
