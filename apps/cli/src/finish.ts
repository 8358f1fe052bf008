import { describeFailure } from "./exit-code.ts"

/** Ends the process with the code, or with one line that says what was wrong. */
export async function finish(work: Promise<number>): Promise<void> {
  const code = await work.catch((error: unknown) => {
    const failure = describeFailure(error)
    process.stderr.write(`docket: ${failure.text}\n`)
    return failure.code
  })
  // A pipe may still hold what was written.
  await new Promise((resolve) => process.stdout.write("", resolve))
  process.exit(code)
}
