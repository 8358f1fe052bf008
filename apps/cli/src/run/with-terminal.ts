import { createInterface } from "node:readline/promises"

interface Terminal {
  input: NodeJS.ReadableStream
  output: NodeJS.WritableStream
  /** Aborts the question, e.g. because it was answered elsewhere. */
  signal: AbortSignal
}

/** The terminal was closed, so no answer will come. */
export class TerminalClosedError extends Error {
  override name = "TerminalClosedError"
  constructor() {
    super("The terminal was closed before there was an answer.")
  }
}

/**
 * Asks on a terminal while `talk` runs. A terminal that waits for a line receives Ctrl-C itself, so the signal is
 * passed on to stop the run. @throws TerminalClosedError, or the signal's reason
 */
export async function withTerminal<T>(
  { input, output, signal }: Terminal,
  talk: (ask: (question: string) => Promise<string>) => Promise<T>,
): Promise<T> {
  const terminal = createInterface({ input, output })
  const closed = new AbortController()
  terminal.on("SIGINT", () => process.kill(process.pid, "SIGINT"))
  terminal.on("close", () => closed.abort(new TerminalClosedError()))
  const either = AbortSignal.any([signal, closed.signal])
  const lines: string[] = []
  let wake: (() => void) | null = null
  // Lines that arrive together answer the next questions.
  terminal.on("line", (line) => {
    lines.push(line)
    wake?.()
  })
  const nextLine = async (question: string): Promise<string> => {
    output.write(question)
    while (lines.length === 0) {
      either.throwIfAborted()
      const { promise, resolve } = Promise.withResolvers<void>()
      wake = resolve
      either.addEventListener("abort", () => resolve(), { once: true })
      await promise
    }
    return lines.shift() ?? ""
  }
  try {
    return await talk(nextLine)
  } finally {
    terminal.close()
  }
}
