import { createInterface } from "node:readline/promises"
import { setTimeout as delay } from "node:timers/promises"
import type { ReadStream } from "node:tty"

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

/** What was typed before a question has arrived within this time (ms). */
const typedAheadMs = 100
const ctrlC = "\u0003"

/** Drops what was typed before anybody could read the question: it must not answer it. */
async function dropTypedAhead(input: NodeJS.ReadableStream): Promise<void> {
  const { isTTY } = input as Partial<ReadStream>
  if (!isTTY) return
  const terminal = input as ReadStream
  const drop = (chunk: Buffer | string) => {
    if (String(chunk).includes(ctrlC)) process.kill(process.pid, "SIGINT")
  }
  // Without raw mode a line that is not complete would wait in the terminal.
  terminal.setRawMode(true)
  terminal.on("data", drop)
  await delay(typedAheadMs)
  terminal.off("data", drop)
  terminal.pause()
  terminal.setRawMode(false)
}

/**
 * Asks on a terminal while `talk` runs. A terminal that waits for a line receives Ctrl-C itself, so the signal is
 * passed on to stop the run. @throws TerminalClosedError, or the signal's reason
 */
export async function withTerminal<T>(
  { input, output, signal }: Terminal,
  talk: (ask: (question: string) => Promise<string>) => Promise<T>,
): Promise<T> {
  await dropTypedAhead(input)
  const terminal = createInterface({ input, output })
  const closed = new AbortController()
  terminal.on("SIGINT", () => process.kill(process.pid, "SIGINT"))
  terminal.on("close", () => closed.abort(new TerminalClosedError()))
  const either = AbortSignal.any([signal, closed.signal])
  const lines: string[] = []
  let wake: (() => void) | null = null
  // Lines that arrive together answer the questions of this talk.
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
