import { firstLine } from "./first-line.mjs"

/** @typedef {{ test: string, reason: string }} KnownFlaky `test` is "file › group › title" */

/**
 * Finds the tests of a Playwright run that failed, and those that passed when they were asked again.
 * @param {{ suites: object[] }} report of Playwright's json reporter
 * @param {KnownFlaky[]} known those that may
 * @returns {{ flaky: number, failed: string[], problems: string[] }} how many passed at last and may; each that failed,
 *   with what it said first; and what is wrong otherwise: tests that may not waver, and lines of the list that name no
 *   test or no reason
 */
export function judgeFlaky({ suites }, known) {
  const tests = new Map(suites.flatMap((suite) => testsOf(suite, [])))
  const listed = new Set(known.map(({ test }) => test))
  const those = (wanted) => [...tests.keys()].filter((test) => tests.get(test).status === wanted)
  const flaky = those("flaky")
  const problems = [
    ...flaky
      .filter((test) => !listed.has(test))
      .map(
        (test) =>
          `flaky: ${test} failed once and passed once. Mend it, or list it with its reason in e2e/known-flaky.json. It said: ${tests.get(test).error}`,
      ),
    ...known
      .filter(({ test }) => !tests.has(test))
      .map(({ test }) => `e2e/known-flaky.json lists ${test}, which is no test.`),
    ...known
      .filter(({ reason }) => !reason?.trim())
      .map(({ test }) => `e2e/known-flaky.json gives no reason for ${test}.`),
  ]
  const failed = those("unexpected").map((test) => `${test}: ${tests.get(test).error}`)
  return { flaky: flaky.filter((test) => listed.has(test)).length, failed, problems }
}

/** @returns {[test: string, { status: string, error: string }][]} `error` of the first attempt that failed */
function testsOf({ title, suites = [], specs }, above) {
  const path = [...above, title]
  const own = specs.flatMap((spec) =>
    spec.tests.map(({ status, results }) => {
      const error = firstLine(results.find(({ error }) => error)?.error.message)
      return [[...path, spec.title].join(" › "), { status, error }]
    }),
  )
  return [...own, ...suites.flatMap((suite) => testsOf(suite, path))]
}
