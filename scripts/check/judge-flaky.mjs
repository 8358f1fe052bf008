import { firstLine } from "./first-line.mjs"

/** @typedef {{ test: string, reason: string }} KnownFlaky `test` is "file › group › title" */

/**
 * Finds the tests of a Playwright run that failed, and those that passed when they were repeated.
 * @param {{ suites: object[] }} report of Playwright's json reporter
 * @param {KnownFlaky[]} known tests that may be flaky
 * @returns {{ flaky: number, failed: string[], wavered: string[], problems: string[], seconds: Record<string, number> }}
 *   how many passed only when repeated; the failed tests and the unlisted flaky ones, each with place and first error
 *   line; entries of the list without a test or a reason; and how long each test took
 */
export function judgeFlaky({ suites }, known) {
  const tests = new Map(suites.flatMap(testsOf))
  const listed = new Set(known.map(({ test }) => test))
  const withStatus = (status) => [...tests.keys()].filter((test) => tests.get(test).status === status)
  const flaky = withStatus("flaky")
  const withError = (test) => `${test}: ${tests.get(test).error}`
  const problems = [
    ...known
      .filter(({ test }) => !tests.has(test))
      .map(({ test }) => `e2e/known-flaky.json lists ${test}, which is no test.`),
    ...known
      .filter(({ reason }) => !reason?.trim())
      .map(({ test }) => `e2e/known-flaky.json gives no reason for ${test}.`),
  ]
  const wavered = flaky.filter((test) => !listed.has(test)).map(withError)
  const seconds = Object.fromEntries([...tests].map(([test, { ms }]) => [test, ms / 1000]))
  return { flaky: flaky.length, failed: withStatus("unexpected").map(withError), wavered, problems, seconds }
}

/**
 * @returns {[test: string, { status: string, error: string, ms: number }][]} `error` of the first failed attempt,
 *   with its line
 */
function testsOf(suite) {
  return specsOf(suite).map(({ name, spec }) => {
    const [{ status, results }] = spec.tests
    const first = results.find(({ error }) => error)?.error
    const error = `${first?.location ? `line ${first.location.line}: ` : ""}${firstLine(first?.message)}`
    return [name, { status, error, ms: results.at(-1)?.duration ?? 0 }]
  })
}

/**
 * The tests below a suite of Playwright's json reporter.
 * @param {object} suite
 * @returns {{ name: string, spec: object }[]} `name` is "file › group › title"
 */
export function specsOf({ title, suites = [], specs }, above = []) {
  const names = [...above, title]
  const own = specs.map((spec) => ({ name: [...names, spec.title].join(" › "), spec }))
  return [...own, ...suites.flatMap((suite) => specsOf(suite, names))]
}
