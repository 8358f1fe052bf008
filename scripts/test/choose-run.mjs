import { existsSync } from "node:fs"
import { mkdir, readFile, writeFile } from "node:fs/promises"
import path from "node:path"
import { specsOf } from "../check/judge-flaky.mjs"
import { SetupProblem } from "../setup/progress.mjs"
import { root } from "../setup/root.mjs"
import { run } from "../setup/run.mjs"
import { changedAreas, chooseTests } from "./choose-tests.mjs"
import { changedSinceProven, readProven } from "./proven.mjs"

/** Seconds of randomly chosen tests, by the time they took when all tests passed. */
const budgets = { browser: 60, unit: 60 }
const browserList = path.join(root, "test-results/browser-tests.txt")
const browserTests = "e2e/src"

/**
 * The tests of a run.
 * @typedef {object} Chosen
 * @property {string | null} browser file with a list for Playwright; null for all tests
 * @property {string[] | null} unit files for Vitest; null for all
 * @property {string[]} said how they were chosen, as lines
 */

/**
 * @param {import("../setup/toolchain.mjs").Toolchain} toolchain
 * @param {{ seed: number, full: boolean }} sampling
 * @returns {Promise<Chosen>}
 */
export async function chooseRun(toolchain, { seed, full }) {
  if (full) return { browser: null, unit: null, said: ["Everything runs."] }
  const proven = await readProven(root)
  const since = await changedSinceProven(root, proven)
  const areas = JSON.parse(await readFile(path.join(root, "scripts/test/areas.json"), "utf8"))
  const changed = since && changedAreas(since.files, areas)
  if (!changed) return { browser: null, unit: null, said: [`Everything runs: ${whyAll(since)}.`] }
  const choose = (candidates, budget) => chooseTests(candidates, { areas, changed, seed, budget })
  const browser = choose(await listBrowserTests(toolchain, proven), budgets.browser)
  const slow = await listSlowFiles(proven)
  const unit = choose(slow, budgets.unit)
  await mkdir(path.dirname(browserList), { recursive: true })
  await writeFile(browserList, browser.chosen.map(({ id }) => `${id}\n`).join(""))
  const skipped = new Set(unit.skipped.map(({ file }) => file))
  const names = [...changed.areas].sort().join(", ") || "none"
  const numbers = (of) => `${of.changed} of changed areas, ${of.drawn} of ${of.drawn + of.skipped.length} others`
  return {
    browser: browserList,
    unit: (await listUnitFiles()).filter((file) => !skipped.has(file)).map((file) => path.join(root, file)),
    said: [
      `Areas that changed since ${since.commit.slice(0, 8)}: ${names}.`,
      `Browser tests: ${browser.journeys} journeys, ${numbers(browser)}.`,
      `Slow files without a browser: ${numbers(unit)}; all fast ones.`,
      `The others are drawn by DOCKET_TEST_SEED=${seed}; npm run test:full runs everything.`,
    ],
  }
}

function whyAll(since) {
  if (since === null) return "no commit of e2e/proven.json is part of this history"
  return `what changed since ${since.commit.slice(0, 8)} may touch all of it`
}

async function listBrowserTests({ node, env }, { seconds }) {
  const cli = path.join(root, "e2e/node_modules/@playwright/test/cli.js")
  const report = path.join(root, "test-results/browser-list.json")
  const command = [
    node,
    cli,
    "test",
    "--config",
    path.join(root, "e2e/playwright.config.ts"),
    "--list",
    "--reporter=json",
  ]
  // The list is not a test result, so it must not overwrite the report.
  const { code, output } = await run(command, { cwd: root, env: { ...env, PLAYWRIGHT_JSON_OUTPUT_NAME: report } })
  if (code !== 0) throw new SetupProblem(`The browser tests cannot be listed:\n\n${output.trim()}`)
  const { suites } = JSON.parse(await readFile(report, "utf8"))
  return suites
    .flatMap((suite) => specsOf(suite))
    .map(({ name, spec }) => ({
      id: name,
      file: `${browserTests}/${spec.file}`,
      seconds: seconds[name],
      journey: spec.tags.includes("journey"),
    }))
}

async function listSlowFiles({ seconds }) {
  const files = new Set(await listUnitFiles())
  return Object.entries(seconds)
    .filter(([file]) => files.has(file))
    .map(([file, took]) => ({ id: file, file, seconds: took }))
}

/** All files that Vitest runs, relative to the root. */
async function listUnitFiles() {
  const patterns = ["*.test.ts", "*.test.tsx", "scripts/*.test.mjs"]
  const { output } = await run(["git", "-C", root, "ls-files", "-z", "-co", "--exclude-standard", "--", ...patterns])
  return output.split("\0").filter((file) => file !== "" && existsSync(path.join(root, file)))
}
