import { duration } from "../setup/progress.mjs"
import { root } from "../setup/root.mjs"
import { run } from "../setup/run.mjs"
import { errorLines } from "./first-line.mjs"

/**
 * The result of one part of the checks.
 * @typedef {object} Part
 * @property {string} name
 * @property {number | null} passed tests; null for a check without tests
 * @property {number} failed tests; 1 for a failed check
 * @property {string[]} problems a line for each failure
 * @property {string[]} [wavered] a line for each test that failed and passed when it was repeated
 * @property {Record<string, number>} [seconds] that each of its files or tests took
 * @property {number | null} [cpu] processor time (s) of its processes
 * @property {number} ms
 */

/** Maximum number of flaky tests in one run: more of them are not caused by a busy machine. */
export const mostWavering = 3

/**
 * Runs one part as a program and prints its closing line.
 * @param {string} name
 * @param {string[]} command
 * @param {Parameters<typeof runPart>[2]} options
 * @returns {Promise<Part>}
 */
export async function phase(name, command, options) {
  return await timed(name, () => runPart(name, command, options))
}

/**
 * Runs one part as a program. Its output is shown only when it fails; with `show`, it is printed with the part's name
 * before each line, because parts run in parallel.
 * @param {string} name
 * @param {string[]} command
 * @param {{ env: Record<string, string | undefined>, show?: boolean, givesWay?: boolean, count?: () => Promise<import("./tally.mjs").Tally> }} options
 *   `count` reads the numbers of a test run afterwards
 * @returns {Promise<Omit<Part, "name" | "ms">>}
 */
export async function runPart(name, command, { env, show = false, givesWay = false, count }) {
  const onLine = (line) => process.stderr.write(`${name} │ ${line}\n`)
  const { code, output, cpu } = await run(command, { cwd: root, env, givesWay, measure: true, ...(show && { onLine }) })
  const tests = await count?.()
  const failed = Math.max(tests?.failed ?? 0, code === 0 ? 0 : 1)
  if (failed > 0 && !show) process.stderr.write(`${output.trimEnd()}\n`)
  const named = tests?.problems ?? []
  const problems = failed > 0 && named.length === 0 ? errorLines(output) : named
  const { passed = null, wavered = [], seconds = {} } = tests ?? {}
  return { passed, failed, problems, wavered, seconds, cpu }
}

/**
 * Runs one part and prints its closing line.
 * @param {string} name
 * @param {() => Promise<Omit<Part, "name" | "ms">>} work
 * @returns {Promise<Part>}
 */
export async function timed(name, work) {
  const start = performance.now()
  const part = { name, ...(await work()), ms: performance.now() - start }
  process.stderr.write(`${closingLine(part)}\n`)
  return part
}

/** Number of tests and files in the list of the slowest. */
const slowestNamed = 10

/**
 * The report at the end of a run: each part with its numbers and time, the slowest tests, each failed or flaky test
 * with its first error line, then "N passed, N failed". More flaky tests than `mostWavering` count as failed.
 * @param {Part[]} parts
 * @param {number} ms of the whole run
 * @returns {{ failed: number, text: string }}
 */
export function summary(parts, ms) {
  const wavered = parts.flatMap(({ name, wavered = [] }) => wavered.map((test) => `${name}: ${test}`))
  const tooMany = wavered.length > mostWavering ? wavered.length : 0
  const passed = parts.reduce((sum, part) => sum + (part.passed ?? 0), 0) - tooMany
  const failed = parts.reduce((sum, part) => sum + part.failed, 0) + tooMany
  const lines = [
    ...parts.map(closingLine),
    ...slowest(parts),
    ...parts.flatMap(({ name, problems }) => problems.map((problem) => `✗ ${name}: ${problem}`)),
    ...wavered.map((test) => `${tooMany > 0 ? "✗" : "~"} wavered, failed once and passed once; mend it: ${test}`),
    `All parts took ${duration(ms)}.`,
    `${passed} passed, ${failed} failed`,
  ]
  return { failed, text: lines.join("\n") }
}

/** "✓ browser     66 passed, 0 failed (180.2 s, 240 s of processors)". */
function closingLine({ name, passed, failed, ms, cpu }) {
  const numbers = passed === null ? "" : `${passed} passed, ${failed} failed `
  const spent = cpu ? `, ${Math.round(cpu)} s of processors` : ""
  return `${failed > 0 ? "✗" : "✓"} ${name.padEnd(11)} ${numbers}(${duration(ms)}${spent})`
}

function slowest(parts) {
  const all = parts.flatMap(({ seconds = {} }) => Object.entries(seconds))
  const first = all.sort(([, one], [, other]) => other - one).slice(0, slowestNamed)
  if (first.length === 0) return []
  return ["Slowest:", ...first.map(([test, took]) => `${took.toFixed(1).padStart(7)} s  ${test}`)]
}
