import type { PlaceLaunch, ProgramPlace } from "@docket/core/program-place"
import type { StartedProgram } from "@docket/core/start-program"
import type { Timers } from "@docket/core/timers"

/** ms that a formatter may take. */
export const formatterMs = 5_000
/** Bytes of a formatted text; as much as tools write. */
const maxOutput = 16 * 1024 * 1024
const maxStderr = 4_000
/** Characters of an error that are told. */
const shownError = 300

export type FormatterResult =
  | { text: string }
  | { failed: string; isLate?: true }
  /** The turn was stopped. */
  | { stopped: true }

interface RunFormatterDeps {
  timers: Timers
  place: Pick<ProgramPlace, "start">
  signal: AbortSignal
}

/** Gives a text to a formatter, which ends with all that it started, and returns what it made of it. */
export async function runFormatter(
  { timers, place, signal }: RunFormatterDeps,
  launch: PlaceLaunch,
  text: string,
): Promise<FormatterResult> {
  if (signal.aborted) return { stopped: true }
  let program: StartedProgram | null = null
  let isOver = false
  const over = Promise.withResolvers<FormatterResult>()
  const endWith = (result: FormatterResult) => {
    over.resolve(result)
    isOver = true
    // Nobody waits for its end: what ignores a signal is killed seconds later.
    void program?.end().catch(() => {})
  }
  const stop = () => endWith({ stopped: true })
  const forget = timers.after(formatterMs, () =>
    endWith({ failed: `it was not done within ${formatterMs / 1_000} s`, isLate: true }),
  )
  signal.addEventListener("abort", stop, { once: true })
  const work = async (): Promise<FormatterResult> => {
    program = await place.start(launch)
    if (isOver) await program.end()
    return resultOf(program, text)
  }
  try {
    return await Promise.race([over.promise, work().catch(failed)])
  } finally {
    forget()
    signal.removeEventListener("abort", stop)
  }
}

function failed(error: unknown): FormatterResult {
  return { failed: error instanceof Error ? error.message : String(error) }
}

async function resultOf(program: StartedProgram, text: string): Promise<FormatterResult> {
  let stderr = ""
  program.stderr.setEncoding("utf8").on("data", (said: string) => {
    if (stderr.length < maxStderr) stderr += said
  })
  const written = collect(program)
  program.stdin.end(text)
  const [output, { exit, signal, over }] = await Promise.all([written, program.ended])
  if (output === null) return { failed: `it wrote more than ${maxOutput / 1024 ** 2} MiB` }
  if (over !== null) return { failed: `it was ended because it reached its limit (${over.limit})` }
  const made = decoded(output)
  if (exit !== 0) {
    // Some say by their exit code that the text is not theirs to format.
    if (made === text && text !== "") return { text }
    const how = exit === null ? `it was ended by ${signal ?? "a signal"}` : `it ended with exit code ${exit}`
    return { failed: firstWords(stderr) || how }
  }
  if (made === null) return { failed: "what it wrote is not UTF-8 text" }
  if (made.trim() === "" && text.trim() !== "") return { failed: firstWords(stderr) || "it wrote nothing" }
  return { text: made }
}

/** Null when it writes too much. */
async function collect(program: StartedProgram): Promise<Buffer | null> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of program.stdout as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > maxOutput) {
      void program.end().catch(() => {})
      return null
    }
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function decoded(output: Buffer): string | null {
  if (output.includes(0)) return null
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(output)
  } catch {
    return null
  }
}

/** The beginning of an error message, without colours and lines drawn around it. */
function firstWords(stderr: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these start colours.
  const plain = stderr.replace(/\u001b\[[\d;]*m/g, "").replace(/[\u2500-\u257f]+/g, "")
  const lines = plain.split("\n").flatMap((line) => line.trim().replace(/^\[error\] /, "") || [])
  return lines.slice(0, 2).join(" ").slice(0, shownError)
}
