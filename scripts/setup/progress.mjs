/** A problem that the user can solve: printed as a message without a stack trace. `exitCode` is 2 for wrong usage. */
export class SetupProblem extends Error {
  constructor(message, exitCode = 1) {
    super(message)
    this.exitCode = exitCode
  }
}

/** "812 ms" or "12.3 s". */
export function duration(ms) {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`
}

/** How often (ms) a slow step reports that it is still running. */
const stillEvery = 10_000

/**
 * Runs one step and prints its closing line on stderr: `✓ packages  already installed (3 ms)`.
 * @param {string} name one word, the first column
 * @param {(announce: (what: string) => void) => Promise<string>} work returns the text of the closing line;
 *   `announce` prints a line at once, for slow work; after that a line is printed every ten seconds
 * @param {{ quiet?: boolean }} options quiet: no closing line for a step that announced nothing
 */
export async function step(name, work, { quiet = false } = {}) {
  const start = performance.now()
  const label = name.padEnd(9)
  let announced = false
  let still
  const say = (what) => process.stderr.write(`… ${label} ${what}\n`)
  const said = await work((what) => {
    announced = true
    say(what)
    still ??= setInterval(() => say(`${Math.round((performance.now() - start) / 1000)} s so far`), stillEvery)
  }).finally(() => clearInterval(still))
  if (quiet && !announced) return
  process.stderr.write(`✓ ${label} ${said} (${duration(performance.now() - start)})\n`)
}

/** Prints an error and ends the process. An unexpected error keeps its stack trace. */
export function stopWith(error) {
  process.stderr.write(`\n✗ ${error instanceof SetupProblem ? error.message : (error?.stack ?? error)}\n`)
  process.exit(error instanceof SetupProblem ? error.exitCode : 1)
}
