import "./require-node-20.mjs"
import { chooseSampling } from "../packages/config/src/choose-sampling.mjs"
import { summary } from "./check/phase.mjs"
import { runEverything } from "./check/run-checks.mjs"
import { findChromium } from "./setup/find-chromium.mjs"
import { prepare } from "./setup/prepare.mjs"
import { step, stopWith } from "./setup/progress.mjs"

// Exhaustive tests try everything instead of a sample.
if (process.argv.includes("--full")) process.env.DOCKET_TEST_FULL = "1"
// One seed for all that runs here.
chooseSampling(process.env)

try {
  const toolchain = await prepare({ web: false })
  let chromium = ""
  await step("chromium", async (announce) => {
    chromium = await findChromium(toolchain, announce)
    return chromium
  })
  const start = performance.now()
  const parts = await runEverything(toolchain, chromium)
  const { failed, text } = summary(parts, performance.now() - start)
  process.stdout.write(`${text}\n`)
  process.exit(failed > 0 ? 1 : 0)
} catch (error) {
  stopWith(error)
}
