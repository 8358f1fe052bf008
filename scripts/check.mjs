import "./require-node-20.mjs"
import { runChecks } from "./check/run-checks.mjs"
import { prepare } from "./setup/prepare.mjs"
import { stopWith } from "./setup/progress.mjs"

try {
  const { failed } = await runChecks(await prepare({ web: false }))
  process.exit(failed > 0 ? 1 : 0)
} catch (error) {
  stopWith(error)
}
