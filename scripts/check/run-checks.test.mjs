import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { pathToFileURL } from "node:url"
import { afterAll, expect, test } from "vitest"
import { root } from "../setup/root.mjs"
import { summary } from "./phase.mjs"
import { runBrowserTests } from "./run-checks.mjs"

const directory = await mkdtemp(path.join(tmpdir(), "docket-runner-"))
afterAll(() => rm(directory, { recursive: true }))

const playwright = pathToFileURL(path.join(root, "e2e/node_modules/@playwright/test/index.mjs"))

/** A suite whose one spec fails when it is asked first, and passes after that. */
async function failingOnce() {
  await writeFile(
    path.join(directory, "wavering.spec.mjs"),
    `import { expect, test } from "${playwright}"
     test.describe("a group", () => test("wavers", ({}, info) => expect(info.retry).toBe(1)))`,
  )
  const config = path.join(directory, "playwright.config.mjs")
  await writeFile(
    config,
    `export default { testDir: ".", retries: 1, reporter: [["json", { outputFile: process.env.PLAYWRIGHT_JSON_OUTPUT_NAME }]] }`,
  )
  return config
}

/** Runs the suite as `npm test` does, with a list of tests that may waver. */
async function run(list) {
  const known = path.join(directory, "known-flaky.json")
  await writeFile(known, JSON.stringify(list))
  const toolchain = { node: process.execPath, env: process.env }
  const report = path.join(directory, "report.json")
  return await runBrowserTests(toolchain, { chromium: "", config: await failingOnce(), known, report })
}

const wavering = "wavering.spec.mjs › a group › wavers"

test("a browser test that fails once and passes once fails the run", async () => {
  const part = await run([])
  expect(part).toMatchObject({ name: "browser", passed: 0, failed: 1 })
  expect(summary([part], 0).failed).toBe(1)
  expect(summary([part], 0).text).toMatch(/^✗ browser .*\n.*\n0 passed, 1 failed$/)
})

test("it passes when it is listed with its reason", async () => {
  expect(await run([{ test: wavering, reason: "The clock of the machine is read twice." }])).toMatchObject({
    passed: 1,
    failed: 0,
  })
})

test("a list that names no test, or gives no reason, fails the run", async () => {
  const part = await run([
    { test: wavering, reason: " " },
    { test: "gone.spec.mjs › was there", reason: "It was slow." },
  ])
  expect(part).toMatchObject({ passed: 1, failed: 2 })
})
