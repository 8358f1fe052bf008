/** A problem that the user can act on: printed as plain words, without a stack. `exitCode` 2 for a mistake in the call. */
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

/** How often (ms) a step that announced that it takes long says that it goes on. */
const stillEvery = 10_000

/**
 * Runs one step and prints its closing line on stderr: `✓ packages  already installed (3 ms)`.
 * @param {string} name one word, the first column
 * @param {(announce: (what: string) => void) => Promise<string>} work returns the words of the closing line;
 *   `announce` prints a line at once, for work that takes long; from then on one comes every ten seconds
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

/** Prints what went wrong and ends the process. An unexpected error keeps its stack. */
export function stopWith(error) {
  process.stderr.write(`\n✗ ${error instanceof SetupProblem ? error.message : (error?.stack ?? error)}\n`)
  process.exit(error instanceof SetupProblem ? error.exitCode : 1)
}
