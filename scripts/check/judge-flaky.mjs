/** @typedef {{ test: string, reason: string }} KnownFlaky `test` is "file › group › title" */

/**
 * Finds the tests of a Playwright run that failed once and passed when they were asked again.
 * @param {{ suites: object[] }} report of Playwright's json reporter
 * @param {KnownFlaky[]} known those that may
 * @returns {{ flaky: number, problems: string[] }} how many did and may, and what is wrong otherwise: tests that may
 *   not, and lines of the list that name no test or no reason
 */
export function judgeFlaky({ suites }, known) {
  const statuses = new Map(suites.flatMap((suite) => testsOf(suite, [])))
  const listed = new Set(known.map(({ test }) => test))
  const flaky = [...statuses.keys()].filter((test) => statuses.get(test) === "flaky")
  const problems = [
    ...flaky
      .filter((test) => !listed.has(test))
      .map(
        (test) =>
          `flaky: ${test} failed once and passed once. Mend it, or list it with its reason in e2e/known-flaky.json.`,
      ),
    ...known
      .filter(({ test }) => !statuses.has(test))
      .map(({ test }) => `e2e/known-flaky.json lists ${test}, which is no test.`),
    ...known
      .filter(({ reason }) => !reason?.trim())
      .map(({ test }) => `e2e/known-flaky.json gives no reason for ${test}.`),
  ]
  return { flaky: flaky.filter((test) => listed.has(test)).length, problems }
}

/** @returns {[test: string, status: string][]} */
function testsOf({ title, suites = [], specs }, above) {
  const path = [...above, title]
  const own = specs.flatMap((spec) => spec.tests.map(({ status }) => [[...path, spec.title].join(" › "), status]))
  return [...own, ...suites.flatMap((suite) => testsOf(suite, path))]
}
