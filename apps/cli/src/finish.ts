import { describeFailure, exitCode } from "./exit-code.ts"
import { isReaderGone } from "./output-failure.ts"

/**
 * Ends the process with the code, or with one line that says what was wrong. Output that could not be written is a
 * failure, except into a pipe that nobody reads any more. `unwritten`: see `outputFailure`.
 */
export async function finish(unwritten: AbortSignal, work: Promise<number>): Promise<void> {
  const code = await work.catch((error: unknown) => {
    const failure = describeFailure(error)
    process.stderr.write(`docket: ${failure.text}\n`)
    return failure.code
  })
  // A pipe may still hold what was written.
  await new Promise((resolve) => process.stdout.write("", resolve))
  if (!unwritten.aborted || isReaderGone(unwritten.reason)) process.exit(code)
  process.stderr.write(`docket: the output could not be written: ${String(unwritten.reason)}\n`)
  process.exit(exitCode.failed)
}
