import "./require-node-20.mjs"
import { chooseSampling } from "../packages/config/src/choose-sampling.mjs"
import { summary } from "./check/phase.mjs"
import { runEverything } from "./check/run-checks.mjs"
import { findChromium } from "./setup/find-chromium.mjs"
import { prepare } from "./setup/prepare.mjs"
import { step, stopWith } from "./setup/progress.mjs"
import { root } from "./setup/root.mjs"
import { readBusySeconds } from "./test/busy-seconds.mjs"
import { chooseRun } from "./test/choose-run.mjs"
import { recordProof } from "./test/proven.mjs"

// Exhaustive tests run all cases instead of a sample.
if (process.argv.includes("--full")) process.env.DOCKET_TEST_FULL = "1"
// One seed for everything in this run.
const sampling = chooseSampling(process.env)

try {
  const toolchain = await prepare({ web: false })
  let chromium = ""
  await step("chromium", async (announce) => {
    chromium = await findChromium(toolchain, announce)
    return chromium
  })
  const chosen = await chooseRun(toolchain, sampling)
  process.stdout.write(`${chosen.said.join("\n")}\n`)
  const start = performance.now()
  const busy = readBusySeconds()
  const parts = await runEverything(toolchain, { chromium, chosen })
  const { failed, text } = summary(parts, performance.now() - start)
  if (sampling.full && failed === 0) {
    const seconds = Object.assign({}, ...parts.map((part) => part.seconds ?? {}))
    process.stdout.write(`${await recordProof(root, seconds)}\n`)
  }
  // Some processes of Chromium are not children of a part, so no part counts their time.
  if (busy !== null) process.stdout.write(`The machine's processors were busy for ${readBusySeconds() - busy} s.\n`)
  // Printed together: how the tests were chosen, and the result.
  process.stdout.write(`${chosen.said.join("\n")}\n${text}\n`)
  process.exit(failed > 0 ? 1 : 0)
} catch (error) {
  stopWith(error)
}
