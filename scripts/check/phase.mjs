import { duration } from "../setup/progress.mjs"
import { root } from "../setup/root.mjs"
import { run } from "../setup/run.mjs"

/**
 * Runs one check and prints its closing line. A quiet one shows its output only when it fails.
 * @param {string} name
 * @param {string[]} command
 * @param {{ env: Record<string, string | undefined>, show?: boolean, count?: () => Promise<import("./tally.mjs").Tally> }} options
 *   `count` reads the numbers of a test run afterwards
 * @returns {Promise<import("./tally.mjs").Tally>} a check without tests counts as 0 passed, and 1 failed if it fails
 */
export async function phase(name, command, { env, show = false, count }) {
  const start = performance.now()
  const { code, output } = await run(command, { cwd: root, env, show })
  const tests = count ? await count() : { passed: 0, failed: 0 }
  const failed = code === 0 ? tests.failed : Math.max(tests.failed, 1)
  if (failed > 0 && !show) process.stderr.write(`${output.trimEnd()}\n`)
  const numbers = count ? ` ${tests.passed} passed, ${failed} failed` : ""
  process.stderr.write(
    `${failed > 0 ? "✗" : "✓"} ${name.padEnd(11)}${numbers} (${duration(performance.now() - start)})\n`,
  )
  return { passed: tests.passed, failed }
}
