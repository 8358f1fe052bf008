import { mkdir, rm } from "node:fs/promises"
import path from "node:path"
import { root } from "../setup/root.mjs"
import { phase } from "./phase.mjs"
import { sum, tallyPlaywright, tallyVitest } from "./tally.mjs"

const reports = path.join(root, "test-results")
const bin = (name) => path.join(root, "node_modules/.bin", name)

/**
 * Format and lint, types, boundaries, dead code, workspace, unit and contract tests. Runs all of them, also after a
 * failure.
 * @param {import("../setup/toolchain.mjs").Toolchain} toolchain
 * @returns {Promise<import("./tally.mjs").Tally>}
 */
export async function runChecks({ env }) {
  const quiet = { env: { ...env, TURBO_TELEMETRY_DISABLED: "1", DO_NOT_TRACK: "1" } }
  const report = path.join(reports, "vitest.json")
  await fresh(report)
  return sum([
    await phase("format+lint", [bin("biome"), "ci", "--diagnostic-level=error", "--colors=off", "."], quiet),
    await phase("types", [bin("turbo"), "run", "typecheck", "--continue", "--output-logs=errors-only"], quiet),
    await phase("boundaries", [bin("turbo"), "boundaries"], quiet),
    await phase("dead code", [bin("knip"), "--no-progress"], quiet),
    await phase("workspace", [bin("sherif")], quiet),
    await phase(
      "unit tests",
      [bin("vitest"), "run", "--reporter=default", "--reporter=json", `--outputFile.json=${report}`],
      {
        env,
        show: true,
        count: () => tallyVitest(report),
      },
    ),
  ])
}

/**
 * The Playwright specs, against the built web app.
 * @param {import("../setup/toolchain.mjs").Toolchain} toolchain
 * @param {string} chromium the program
 * @returns {Promise<import("./tally.mjs").Tally>}
 */
export async function runBrowserTests({ node, env }, chromium) {
  const report = path.join(reports, "playwright.json")
  await fresh(report)
  const cli = path.join(root, "e2e/node_modules/@playwright/test/cli.js")
  const command = [node, cli, "test", "--config", path.join(root, "e2e/playwright.config.ts")]
  return await phase("browser", command, {
    env: { ...env, CHROMIUM_PATH: chromium, PLAYWRIGHT_JSON_OUTPUT_NAME: report },
    show: true,
    count: () => tallyPlaywright(report),
  })
}

async function fresh(report) {
  await mkdir(reports, { recursive: true })
  await rm(report, { force: true })
}
