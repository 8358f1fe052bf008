import { readFile } from "node:fs/promises"
import { judgeFlaky } from "./judge-flaky.mjs"

/** @typedef {{ passed: number, failed: number, problems?: string[] }} Tally `problems` are for a person to read */

/** @returns {Promise<Tally>} of a report of vitest's json reporter; a file that does not load counts as failed */
export async function tallyVitest(file) {
  const report = await readJson(file)
  if (!report) return { passed: 0, failed: 1 }
  const broken = report.testResults.filter((suite) => suite.status === "failed" && suite.assertionResults.length === 0)
  return { passed: report.numPassedTests, failed: report.numFailedTests + broken.length }
}

/**
 * A test that failed once and passed once counts as failed, unless it is listed.
 * @param {string} file a report of Playwright's json reporter
 * @param {string} list known-flaky.json
 * @returns {Promise<Tally>}
 */
export async function tallyPlaywright(file, list) {
  const report = await readJson(file)
  if (!report) return { passed: 0, failed: 1 }
  const { problems, flaky } = judgeFlaky(report, JSON.parse(await readFile(list, "utf8")))
  const { expected, unexpected } = report.stats
  return { passed: expected + flaky, failed: unexpected + problems.length, problems }
}

async function readJson(file) {
  return await readFile(file, "utf8").then(JSON.parse, () => null)
}
