import { createInterface } from "node:readline"
import type { Readable } from "node:stream"

/** The lines that somebody types, until it is over. */
export async function* typedLines(input: Readable, over: AbortSignal): AsyncIterableIterator<string> {
  const lines = createInterface({ input })
  over.addEventListener("abort", () => lines.close(), { once: true })
  yield* lines
}
