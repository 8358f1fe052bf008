import { readFile } from "node:fs/promises"

/** @typedef {{ passed: number, failed: number }} Tally */

/** @returns {Promise<Tally>} of a report of vitest's json reporter; a file that does not load counts as failed */
export async function tallyVitest(file) {
  const report = await readReport(file)
  if (!report) return { passed: 0, failed: 1 }
  const broken = report.testResults.filter((suite) => suite.status === "failed" && suite.assertionResults.length === 0)
  return { passed: report.numPassedTests, failed: report.numFailedTests + broken.length }
}

/** @returns {Promise<Tally>} of a report of Playwright's json reporter */
export async function tallyPlaywright(file) {
  const report = await readReport(file)
  if (!report) return { passed: 0, failed: 1 }
  return { passed: report.stats.expected + report.stats.flaky, failed: report.stats.unexpected }
}

/** @param {Tally[]} tallies */
export function sum(tallies) {
  return tallies.reduce((a, b) => ({ passed: a.passed + b.passed, failed: a.failed + b.failed }))
}

async function readReport(file) {
  return await readFile(file, "utf8").then(JSON.parse, () => null)
}
