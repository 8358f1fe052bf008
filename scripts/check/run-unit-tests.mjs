import path from "node:path"
import { root } from "../setup/root.mjs"
import { freshReport } from "./fresh-report.mjs"
import { mostWavering, runPart, timed } from "./phase.mjs"
import { tallyVitest } from "./tally.mjs"

/**
 * Runs the tests that need no browser. If a few fail, their files are repeated at the end, alone; tests that pass then
 * are reported as flaky.
 * @param {Pick<import("../setup/toolchain.mjs").Toolchain, "env">} toolchain
 * @param {{ givesWay?: boolean, directory?: string, files?: string[], report?: string }} [options] `directory` for Vitest,
 *   `files` in it (all when empty), `report` is the path of the report
 * @returns {Promise<import("./phase.mjs").Part>}
 */
export async function runUnitTests({ env }, options = {}) {
  const {
    givesWay = false,
    directory = root,
    files: given = [],
    report = path.join(root, "test-results/vitest.json"),
  } = options
  const vitest = path.join(root, "node_modules/.bin/vitest")
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`]
  const runOnce = async (files) => {
    await freshReport(report)
    let tally
    const count = async () => {
      tally = await tallyVitest(report)
      return tally
    }
    const command = [vitest, "run", "--root", directory, ...reporters, ...files]
    return { ...(await runPart("unit tests", command, { env, show: true, givesWay, count })), files: tally.files }
  }
  return await timed("unit tests", async () => {
    const { files, ...first } = await runOnce(given)
    // Without a file to name, something other than a test has failed.
    const isWorthRepeating = first.failed > 0 && first.failed <= mostWavering && files.length > 0
    if (!isWorthRepeating) return first
    const { failed } = await runOnce(files)
    if (failed > 0) return first
    return { ...first, passed: first.passed + first.failed, failed: 0, problems: [], wavered: first.problems }
  })
}
