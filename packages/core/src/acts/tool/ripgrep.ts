import { spawn } from "node:child_process"
import { createRequire } from "node:module"
import { createInterface } from "node:readline"
import { z } from "zod"

/** The path of ripgrep: the binary of its npm package, else `rg` on the PATH. */
export function findRipgrep(): string {
  try {
    // The package throws on platforms without a binary.
    const loaded: unknown = createRequire(import.meta.url)("@vscode/ripgrep")
    const { rgPath } = z.object({ rgPath: z.string() }).parse(loaded)
    return rgPath
  } catch {
    return "rg"
  }
}

/** ripgrep was ended because it took too long. */
export class SearchTimeout extends Error {}

export interface RipgrepRequest {
  /** Path of the binary. */
  ripgrep: string
  args: string[]
  cwd: string
  signal: AbortSignal
  /** ms until the search fails; 60 s unless given. */
  timeout?: number | undefined
  /** Called for each line of output; return false to end the search. */
  onLine(line: string): boolean
}

const MAX_ERROR_CHARACTERS = 4_000
/** ms; enough to read gigabytes. A pipe in place of an ignore file would block ripgrep forever. */
const SEARCH_TIMEOUT = 60_000

/**
 * Runs ripgrep without its config file and passes its output on line by line. The process is killed when the reader has
 * enough and on abort.
 * @returns false when the reader ended it early
 * @throws Error with ripgrep's message for a bad pattern, or when it cannot be started or takes too long
 */
export async function runRipgrep(request: RipgrepRequest): Promise<boolean> {
  request.signal.throwIfAborted()
  const timeout = request.timeout ?? SEARCH_TIMEOUT
  const child = spawn(request.ripgrep, ["--no-config", "--color=never", ...request.args], {
    cwd: request.cwd,
    stdio: ["ignore", "pipe", "pipe"],
    signal: request.signal,
    timeout,
    killSignal: "SIGKILL",
  })
  let errors = ""
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    if (errors.length < MAX_ERROR_CHARACTERS) errors += text
  })
  const closed = new Promise<number | null>((resolve, reject) => {
    child.once("close", resolve)
    child.once("error", (error) => reject(startError(error, request)))
  })
  // Awaited below; until then a rejection must not count as unhandled.
  closed.catch(() => {})
  let hasEnough = false
  for await (const line of createInterface({ input: child.stdout, crlfDelay: Number.POSITIVE_INFINITY })) {
    if (hasEnough) continue
    hasEnough = !request.onLine(line)
    if (hasEnough) child.kill("SIGKILL")
  }
  const code = await closed
  request.signal.throwIfAborted()
  if (code === null && !hasEnough) {
    throw new SearchTimeout(
      `The search took more than ${timeout / 1000} s and was ended. Narrow the path. Should a file such as .gitignore be a pipe, remove it.`,
    )
  }
  // Exit code 2 with matches means that only some files could not be read.
  if (code === 2 && /regex parse error|error parsing glob|invalid|unrecognized|not recognized/i.test(errors)) {
    throw new Error(errors.trim().slice(0, MAX_ERROR_CHARACTERS))
  }
  return !hasEnough
}

function startError(error: Error, { ripgrep, signal }: RipgrepRequest): unknown {
  if (signal.aborted) return signal.reason
  return new Error(`ripgrep (${ripgrep}) could not be started: ${error.message}. Install ripgrep.`, { cause: error })
}
