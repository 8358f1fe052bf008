import { describeFailure, exitCode } from "./exit-code.ts"
import { isReaderGone } from "./output-failure.ts"

/**
 * Ends the process with the exit code; after an error, prints one line with the reason. Lost output is a failure,
 * except when the reader closed the pipe. `unwritten`: see `outputFailure`.
 */
export async function finish(unwritten: AbortSignal, work: Promise<number>): Promise<void> {
  const code = await work.catch((error: unknown) => {
    const failure = describeFailure(error)
    process.stderr.write(`docket: ${failure.text}\n`)
    return failure.code
  })
  // The pipe may still hold output that was written.
  await new Promise((resolve) => process.stdout.write("", resolve))
  if (!unwritten.aborted || isReaderGone(unwritten.reason)) process.exit(code)
  process.stderr.write(`docket: the output could not be written: ${String(unwritten.reason)}\n`)
  process.exit(exitCode.failed)
}
