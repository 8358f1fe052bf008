import "./require-node-20.mjs"
import { runBrowserTests, runChecks } from "./check/run-checks.mjs"
import { sum } from "./check/tally.mjs"
import { findChromium } from "./setup/find-chromium.mjs"
import { prepare } from "./setup/prepare.mjs"
import { step, stopWith } from "./setup/progress.mjs"

// Exhaustive tests try everything instead of a sample.
if (process.argv.includes("--full")) process.env.DOCKET_TEST_FULL = "1"

try {
  const toolchain = await prepare({ web: true })
  let chromium = ""
  await step("chromium", async (announce) => {
    chromium = await findChromium(toolchain, announce)
    return chromium
  })
  const total = sum([await runChecks(toolchain), await runBrowserTests(toolchain, chromium)])
  process.stdout.write(`${total.passed} passed, ${total.failed} failed\n`)
  process.exit(total.failed > 0 ? 1 : 0)
} catch (error) {
  stopWith(error)
}
