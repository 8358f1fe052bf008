import path from "node:path"
import { root } from "../setup/root.mjs"
import { freshReport } from "./fresh-report.mjs"
import { mostWavering, runPart, timed } from "./phase.mjs"
import { tallyVitest } from "./tally.mjs"

/**
 * The tests that need no browser. A few that fail are asked once more at the end, file by file and alone: those that pass
 * then are named as wavering.
 * @param {Pick<import("../setup/toolchain.mjs").Toolchain, "env">} toolchain
 * @param {{ givesWay?: boolean, directory?: string, files?: string[], report?: string }} [options] `directory` is what Vitest
 *   runs, of it only `files` where there are any, `report` where its report goes
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
  const ask = async (files) => {
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
    const { files, ...first } = await ask(given)
    // Without a test that failed, something else did.
    if (first.failed === 0 || first.failed > mostWavering || files.length === 0) return first
    const { failed } = await ask(files)
    if (failed > 0) return first
    return { ...first, passed: first.passed + first.failed, failed: 0, problems: [], wavered: first.problems }
  })
}
