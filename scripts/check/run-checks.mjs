import path from "node:path"
import { buildWeb } from "../setup/build-web.mjs"
import { root } from "../setup/root.mjs"
import { errorLines } from "./first-line.mjs"
import { freshReport } from "./fresh-report.mjs"
import { phase, timed } from "./phase.mjs"
import { runUnitTests } from "./run-unit-tests.mjs"
import { tallyPlaywright } from "./tally.mjs"

const ownFiles = {
  config: path.join(root, "e2e/playwright.config.ts"),
  known: path.join(root, "e2e/known-flaky.json"),
  report: path.join(root, "test-results/playwright.json"),
}
const bin = (name) => path.join(root, "node_modules/.bin", name)

/** @typedef {import("../setup/toolchain.mjs").Toolchain} Toolchain */
/** @typedef {import("./phase.mjs").Part} Part */

/**
 * `pnpm check`: static checks, unit and contract tests side by side.
 * @param {Toolchain} toolchain
 * @returns {Promise<Part[]>}
 */
export async function runChecks(toolchain) {
  return (await Promise.all([runStaticChecks(toolchain), runUnitTests(toolchain)])).flat()
}

/**
 * `npm test`: builds the web app and then runs the browser tests, while everything else runs in parallel. Build and
 * browser tests take longest, so the rest runs with lower priority.
 * @param {Toolchain} toolchain
 * @param {{ chromium: string, chosen: import("../test/choose-run.mjs").Chosen }} options `chromium` is the program
 * @returns {Promise<Part[]>}
 */
export async function runEverything(toolchain, { chromium, chosen }) {
  const web = buildWebApp(toolchain)
  const list = chosen.browser
  const browser = web.then(async ({ failed }) =>
    failed > 0 ? [] : [await runBrowserTests(toolchain, { chromium, list })],
  )
  const lowPriority = { givesWay: true }
  const parts = await Promise.all([
    runStaticChecks(toolchain, { ...lowPriority, build: web }),
    // One of these tests opens a page of another site in Chromium.
    runUnitTests(
      { ...toolchain, env: { ...toolchain.env, CHROMIUM_PATH: chromium } },
      { ...lowPriority, files: chosen.unit ?? [] },
    ),
    web,
    browser,
  ])
  return parts.flat()
}

/**
 * Format and lint, boundaries, dead code, workspace, types. A failure does not stop the others.
 * @param {Toolchain} toolchain
 * @param {{ build?: Promise<unknown>, givesWay?: boolean }} [options] `build` writes types, which must not be read before it
 *   has ended
 * @returns {Promise<Part[]>}
 */
async function runStaticChecks({ env }, { build, givesWay = false } = {}) {
  const quiet = { env: { ...env, TURBO_TELEMETRY_DISABLED: "1", DO_NOT_TRACK: "1" }, givesWay }
  const checks = [
    await phase("format+lint", [bin("biome"), "ci", "--diagnostic-level=error", "--colors=off", "."], quiet),
    await phase("boundaries", [bin("turbo"), "boundaries"], quiet),
    await phase("dead code", [bin("knip"), "--no-progress"], quiet),
    await phase("workspace", [bin("sherif")], quiet),
  ]
  await build
  return [...checks, await phase("types", [bin("tsc"), "-b", ".", "apps/web"], quiet)]
}

async function buildWebApp(toolchain) {
  return await timed("web app", async () => {
    try {
      await buildWeb(toolchain, () => {})
      return { passed: null, failed: 0, problems: [] }
    } catch (error) {
      process.stderr.write(`${error.message}\n`)
      return { passed: null, failed: 1, problems: errorLines(error.message) }
    }
  })
}

/**
 * Runs the Playwright tests against the built web app. A failed test is repeated once, and reported as flaky when it
 * passes then, unless `known` lists it.
 * @param {Pick<Toolchain, "node" | "env">} toolchain
 * @param {{ chromium: string, list?: string | null, config?: string, known?: string, report?: string }} options the
 *   tests to run (all without a list), Playwright's configuration, the known flaky tests, and the path of the report
 * @returns {Promise<Part>}
 */
export async function runBrowserTests({ node, env }, { chromium, list = null, ...files }) {
  const { config, known, report } = { ...ownFiles, ...files }
  await freshReport(report)
  const cli = path.join(root, "e2e/node_modules/@playwright/test/cli.js")
  const command = [node, cli, "test", "--config", config, ...(list ? ["--test-list", list] : [])]
  return await phase("browser", command, {
    env: { ...env, CHROMIUM_PATH: chromium, PLAYWRIGHT_JSON_OUTPUT_NAME: report },
    show: true,
    count: () => tallyPlaywright(report, known),
  })
}
