import { readFile } from "node:fs/promises"
import path from "node:path"
import { root } from "../setup/root.mjs"
import { firstLine } from "./first-line.mjs"
import { judgeFlaky } from "./judge-flaky.mjs"

/**
 * @typedef {{ passed: number, failed: number, problems: string[], wavered?: string[], seconds?: Record<string, number> }} Tally
 *   `problems` has a line for each failure, `wavered` one for each test that passed when repeated; `seconds` that each
 *   Vitest file or Playwright test took
 */

/**
 * @returns {Promise<Tally & { files: string[] }>} from a report of Vitest's json reporter; a file that does not load
 *   counts as failed. `files` are those with failed tests
 */
export async function tallyVitest(file) {
  const report = await readJson(file)
  if (!report) return { passed: 0, failed: 1, problems: [], files: [], seconds: {} }
  const broken = report.testResults.filter((suite) => suite.status === "failed" && suite.assertionResults.length === 0)
  const problems = [
    ...broken.map(({ name, message }) => `${nameOf(name)}: ${firstLine(message)}`),
    ...report.testResults.flatMap(({ name, assertionResults }) =>
      assertionResults
        .filter(({ status }) => status === "failed")
        .map((test) => {
          const title = [nameOf(name), ...test.ancestorTitles, test.title].join(" › ")
          return `${title}: ${firstLine(test.failureMessages[0])}`
        }),
    ),
  ]
  const files = report.testResults.filter(({ status }) => status === "failed").map(({ name }) => name)
  const seconds = Object.fromEntries(
    report.testResults.map(({ name, startTime, endTime }) => [nameOf(name), (endTime - startTime) / 1000]),
  )
  return { passed: report.numPassedTests, failed: report.numFailedTests + broken.length, problems, files, seconds }
}

/**
 * A test that failed once and then passed counts as passed, and is reported as flaky unless it is listed.
 * @param {string} file a report of Playwright's json reporter
 * @param {string} list known-flaky.json
 * @returns {Promise<Tally>}
 */
export async function tallyPlaywright(file, list) {
  const report = await readJson(file)
  if (!report) return { passed: 0, failed: 1, problems: [] }
  const { failed, wavered, problems, flaky, seconds } = judgeFlaky(report, JSON.parse(await readFile(list, "utf8")))
  const { expected, unexpected } = report.stats
  const numbers = { passed: expected + flaky, failed: unexpected + problems.length }
  return { ...numbers, problems: [...failed, ...problems], wavered, seconds }
}

/** The path of a file relative to the root. */
function nameOf(file) {
  return path.relative(root, file)
}

async function readJson(file) {
  return await readFile(file, "utf8").then(JSON.parse, () => null)
}
