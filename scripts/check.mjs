import "./require-node-20.mjs"
import { summary } from "./check/phase.mjs"
import { runChecks } from "./check/run-checks.mjs"
import { prepare } from "./setup/prepare.mjs"
import { stopWith } from "./setup/progress.mjs"

try {
  const toolchain = await prepare({ web: false })
  const start = performance.now()
  const parts = await runChecks(toolchain)
  const { failed, text } = summary(parts, performance.now() - start)
  process.stdout.write(`${text}\n`)
  process.exit(failed > 0 ? 1 : 0)
} catch (error) {
  stopWith(error)
}
