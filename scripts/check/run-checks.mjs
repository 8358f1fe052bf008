import { mkdir, rm } from "node:fs/promises"
import path from "node:path"
import { buildWeb } from "../setup/build-web.mjs"
import { root } from "../setup/root.mjs"
import { phase, timed } from "./phase.mjs"
import { tallyPlaywright, tallyVitest } from "./tally.mjs"

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
 * `npm test`: the browser tests follow the build of the web app, while the rest goes on.
 * @param {Toolchain} toolchain
 * @param {string} chromium the program
 * @returns {Promise<Part[]>}
 */
export async function runEverything(toolchain, chromium) {
  const unit = runUnitTests(toolchain)
  const [web, checks] = await Promise.all([buildWebApp(toolchain), runStaticChecks(toolchain)])
  const browser = web.failed > 0 ? [] : [await runBrowserTests(toolchain, { chromium })]
  return [...checks, await unit, web, ...browser]
}

/** Format and lint, types, boundaries, dead code, workspace: each one also after a failure. */
async function runStaticChecks({ env }) {
  const quiet = { env: { ...env, TURBO_TELEMETRY_DISABLED: "1", DO_NOT_TRACK: "1" } }
  return [
    await phase("format+lint", [bin("biome"), "ci", "--diagnostic-level=error", "--colors=off", "."], quiet),
    await phase("types", [bin("tsc"), "-b", ".", "apps/web"], quiet),
    await phase("boundaries", [bin("turbo"), "boundaries"], quiet),
    await phase("dead code", [bin("knip"), "--no-progress"], quiet),
    await phase("workspace", [bin("sherif")], quiet),
  ]
}

async function runUnitTests({ env }) {
  const report = path.join(root, "test-results/vitest.json")
  await fresh(report)
  const command = [bin("vitest"), "run", "--reporter=default", "--reporter=json", `--outputFile.json=${report}`]
  return await phase("unit tests", command, { env, show: true, count: () => tallyVitest(report) })
}

async function buildWebApp(toolchain) {
  return await timed("web app", async () => {
    try {
      await buildWeb(toolchain, () => {})
      return { passed: null, failed: 0 }
    } catch (error) {
      process.stderr.write(`${error.message}\n`)
      return { passed: null, failed: 1 }
    }
  })
}

/**
 * The Playwright specs, against the built web app. One that fails is asked once more, and fails the run all the same
 * unless `known` lists it.
 * @param {Pick<Toolchain, "node" | "env">} toolchain
 * @param {{ chromium: string, config?: string, known?: string, report?: string }} options files: Playwright's
 *   configuration, the list, and where the report goes
 * @returns {Promise<Part>}
 */
export async function runBrowserTests({ node, env }, { chromium, ...files }) {
  const { config, known, report } = { ...ownFiles, ...files }
  await fresh(report)
  const cli = path.join(root, "e2e/node_modules/@playwright/test/cli.js")
  const command = [node, cli, "test", "--config", config]
  return await phase("browser", command, {
    env: { ...env, CHROMIUM_PATH: chromium, PLAYWRIGHT_JSON_OUTPUT_NAME: report },
    show: true,
    count: () => tallyPlaywright(report, known),
  })
}

async function fresh(report) {
  await mkdir(path.dirname(report), { recursive: true })
  await rm(report, { force: true })
}
