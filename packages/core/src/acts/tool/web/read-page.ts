import { Worker } from "node:worker_threads"

/** How long reading a page may take (ms), and how much memory (MB). */
const limits = { ms: 10_000, megabytes: 512 } as const
/** Pages that are read at once; each takes a processor. */
const MAX_AT_ONCE = 2

export interface PageReader {
  /**
   * The text of an HTML page, see `readHtml`. It is read in a thread that starts for it and ends with it.
   * @throws Error when it takes too long or too much memory
   */
  read(html: string, format: "markdown" | "text", signal: AbortSignal): Promise<string>
}

/** @param ms how long a page may take */
export function createPageReader({ ms = limits.ms }: { ms?: number } = {}): PageReader {
  const waiting: (() => void)[] = []
  let running = 0
  return {
    async read(html, format, signal) {
      if (running >= MAX_AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve))
      running++
      try {
        signal.throwIfAborted()
        return await readInThread({ html, format }, signal, ms)
      } finally {
        running--
        waiting.shift()?.()
      }
    },
  }
}

async function readInThread(
  page: { html: string; format: "markdown" | "text" },
  signal: AbortSignal,
  ms: number,
): Promise<string> {
  const worker = new Worker(new URL("./page-thread.ts", import.meta.url), {
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: limits.megabytes },
    stdout: true,
    stderr: true,
  })
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const late = setTimeout(() => reject(tooMuch()), ms)
  const stop = () => reject(signal.reason)
  signal.addEventListener("abort", stop, { once: true })
  worker.once("message", resolve)
  // A page that nests too deep, or takes too much memory, ends the thread.
  worker.once("error", (cause) => reject(tooMuch(cause)))
  worker.once("exit", () => reject(tooMuch()))
  worker.postMessage(page)
  try {
    return await promise
  } finally {
    clearTimeout(late)
    signal.removeEventListener("abort", stop)
    await worker.terminate()
  }
}

function tooMuch(cause?: unknown): Error {
  return new Error(
    'The page is too large or too deeply nested to be turned into text. Fetch it with format "html", or a smaller page.',
    { cause },
  )
}
