import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { pathToFileURL } from "node:url"
import { afterAll, expect, onTestFinished, test } from "vitest"
import { root } from "../setup/root.mjs"
import { run as runProgram } from "../setup/run.mjs"
import { phase, summary } from "./phase.mjs"
import { runBrowserTests } from "./run-checks.mjs"
import { runUnitTests } from "./run-unit-tests.mjs"
import { tallyVitest } from "./tally.mjs"

const directory = await mkdtemp(path.join(tmpdir(), "docket-runner-"))
afterAll(() => rm(directory, { recursive: true }))

const playwright = pathToFileURL(path.join(root, "e2e/node_modules/@playwright/test/index.mjs"))

const vitestModule = pathToFileURL(path.join(root, "node_modules/vitest/dist/index.js")).href

/** A suite whose only test fails at the first attempt and passes at the second. */
async function failingOnce() {
  await writeFile(
    path.join(directory, "wavering.spec.mjs"),
    `import { expect, test } from "${playwright}"
     test.describe("a group", () => test("passes on retry", ({}, info) => expect(info.retry).toBe(1)))`,
  )
  const config = path.join(directory, "playwright.config.mjs")
  // A separate output directory: Playwright empties it, and the default one is used by the browser tests that run in
  // parallel.
  await writeFile(
    config,
    `export default { testDir: ".", outputDir: "results", retries: 1, reporter: [["json", { outputFile: process.env.PLAYWRIGHT_JSON_OUTPUT_NAME }]] }`,
  )
  return config
}

/** Runs the suite like `npm test`, with a list of known flaky tests. */
async function run(list) {
  const known = path.join(directory, "known-flaky.json")
  await writeFile(known, JSON.stringify(list))
  const toolchain = { node: process.execPath, env: process.env }
  const report = path.join(directory, "report.json")
  return await runBrowserTests(toolchain, { chromium: "", config: await failingOnce(), known, report })
}

const wavering = "wavering.spec.mjs › a group › passes on retry"

test("browser tests that pass on retry are reported; too many fail", async () => {
  const part = await run([])
  expect(part).toMatchObject({ name: "browser", passed: 1, failed: 0, wavered: [expect.stringContaining(wavering)] })
  const [closing, heading, slowest, problem, ...rest] = summary([part], 0).text.split("\n")
  expect(closing).toMatch(/^✓ browser +1 passed, 0 failed \([\d.]+ m?s, \d+ s of processors\)$/)
  expect([heading, slowest]).toEqual([
    "Slowest:",
    expect.stringMatching(/ s {2}wavering\.spec\.mjs › a group › passes on retry$/),
  ])
  expect(problem).toMatch(
    /^~ wavered, .*: browser: wavering\.spec\.mjs › a group › passes on retry: line 2: Error: expect/,
  )
  expect(rest).toEqual([expect.stringMatching(/^All parts took/), "1 passed, 0 failed"])
  const many = summary([part, part, part, part], 0)
  expect(many.failed).toBe(4)
  expect(many.text).toContain("✗ wavered")
  expect(many.text).toMatch(/\n0 passed, 4 failed$/)
})

/** Runs a suite of two tests; one fails the first `times` times. */
async function runUnit(times) {
  const own = await mkdtemp(path.join(tmpdir(), "docket-runner-"))
  onTestFinished(() => rm(own, { recursive: true }))
  await writeFile(
    path.join(own, "wavering.test.mjs"),
    `import { appendFileSync, readFileSync } from "node:fs"
     import { expect, test } from ${JSON.stringify(vitestModule)}
     const tries = new URL("tries", import.meta.url)
     test("holds", () => expect(1).toBe(1))
     test("fails at its first tries", () => {
       appendFileSync(tries, "x")
       expect(readFileSync(tries, "utf8").length, "tries").toBeGreaterThan(${times})
     })`,
  )
  return await runUnitTests({ env: process.env }, { directory: own, report: path.join(own, "report.json") })
}

test("a failed unit test is retried at the end", async () => {
  const wavered = await runUnit(1)
  expect(wavered).toMatchObject({ passed: 2, failed: 0, problems: [] })
  expect(wavered.wavered).toEqual([
    expect.stringMatching(/wavering\.test\.mjs › fails at its first tries: AssertionError: tries: /),
  ])
  const failed = await runUnit(9)
  expect(failed).toMatchObject({ passed: 1, failed: 1, wavered: [] })
  expect(failed.problems).toEqual([expect.stringMatching(/wavering\.test\.mjs › fails at its first tries/)])
})

test("a low-priority part and its child processes get a higher nice value", async () => {
  const script = `process.stdout.write(String(require("node:os").getPriority()))`
  const nested = `process.stdout.write(require("node:child_process").execFileSync(process.execPath, ["-e", ${JSON.stringify(script)}]))`
  const niceOf = async (options) => Number((await runProgram([process.execPath, "-e", nested], options)).output)
  expect(await niceOf({ givesWay: true })).toBe(Math.min(19, (await niceOf({})) + 5))
})

test("the summary names failed tests and unloadable files with their first error", async () => {
  const own = await mkdtemp(path.join(tmpdir(), "docket-runner-"))
  onTestFinished(() => rm(own, { recursive: true }))
  await writeFile(
    path.join(own, "sum.test.mjs"),
    `describe("a group", () => test("adds", () => expect(1 + 1, "a sum").toBe(3)))`,
  )
  await writeFile(path.join(own, "broken.test.mjs"), `throw new Error("no such part")`)
  const report = path.join(own, "report.json")
  const command = [
    process.execPath,
    path.join(root, "node_modules/vitest/vitest.mjs"),
    "run",
    "--root",
    own,
    "--globals",
  ]
  const reporter = ["--reporter=json", `--outputFile.json=${report}`]
  const part = await phase("unit tests", [...command, ...reporter], {
    env: process.env,
    count: () => tallyVitest(report),
  })
  expect(part).toMatchObject({ passed: 0, failed: 2 })
  const lines = summary([part], 0).text.split("\n")
  expect(lines).toContainEqual(
    expect.stringMatching(/^✗ unit tests: .*sum\.test\.mjs › a group › adds: .*a sum: expected 2 to be 3/),
  )
  expect(lines).toContainEqual(expect.stringMatching(/^✗ unit tests: .*broken\.test\.mjs: .*no such part/))
})

test("a failed check without a test shows its program's errors", async () => {
  const failing = `console.log("Checked 3 files."); console.error("notes.ts:1:1 error TS1: no notes"); process.exit(2)`
  const part = await phase("types", [process.execPath, "-e", failing], { env: process.env })
  expect(summary([part], 0).text).toContain("✗ types: notes.ts:1:1 error TS1: no notes\n")
})

test("a flaky test that is listed with a reason is not reported", async () => {
  expect(await run([{ test: wavering, reason: "The clock of the machine is read twice." }])).toMatchObject({
    passed: 1,
    failed: 0,
    wavered: [],
  })
})

test("a list with an unknown test or no reason fails the run", async () => {
  const part = await run([
    { test: wavering, reason: " " },
    { test: "gone.spec.mjs › was there", reason: "It was slow." },
  ])
  expect(part).toMatchObject({ passed: 1, failed: 2 })
})
