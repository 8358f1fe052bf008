import { firstLine } from "./first-line.mjs"

/** @typedef {{ test: string, reason: string }} KnownFlaky `test` is "file › group › title" */

/**
 * Finds the tests of a Playwright run that failed, and those that passed when they were asked again.
 * @param {{ suites: object[] }} report of Playwright's json reporter
 * @param {KnownFlaky[]} known those that may
 * @returns {{ flaky: number, failed: string[], wavered: string[], problems: string[] }} how many passed at last; each that
 *   failed and each that passed at last without being listed, with where and what it said first; and lines of the list
 *   that name no test or no reason
 */
export function judgeFlaky({ suites }, known) {
  const tests = new Map(suites.flatMap((suite) => testsOf(suite, [])))
  const listed = new Set(known.map(({ test }) => test))
  const those = (wanted) => [...tests.keys()].filter((test) => tests.get(test).status === wanted)
  const flaky = those("flaky")
  const said = (test) => `${test}: ${tests.get(test).error}`
  const problems = [
    ...known
      .filter(({ test }) => !tests.has(test))
      .map(({ test }) => `e2e/known-flaky.json lists ${test}, which is no test.`),
    ...known
      .filter(({ reason }) => !reason?.trim())
      .map(({ test }) => `e2e/known-flaky.json gives no reason for ${test}.`),
  ]
  const wavered = flaky.filter((test) => !listed.has(test)).map(said)
  return { flaky: flaky.length, failed: those("unexpected").map(said), wavered, problems }
}

/** @returns {[test: string, { status: string, error: string }][]} `error` of the first attempt that failed, with its line */
function testsOf({ title, suites = [], specs }, above) {
  const path = [...above, title]
  const own = specs.flatMap((spec) =>
    spec.tests.map(({ status, results }) => {
      const first = results.find(({ error }) => error)?.error
      const error = `${first?.location ? `line ${first.location.line}: ` : ""}${firstLine(first?.message)}`
      return [[...path, spec.title].join(" › "), { status, error }]
    }),
  )
  return [...own, ...suites.flatMap((suite) => testsOf(suite, path))]
}
