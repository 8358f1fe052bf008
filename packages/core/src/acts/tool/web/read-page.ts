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
  /** Resolves when a thread may start. */
  const turn = async (signal: AbortSignal): Promise<void> => {
    signal.throwIfAborted()
    if (running < MAX_AT_ONCE) {
      running++
      return
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const leave = () => {
      waiting.splice(waiting.indexOf(resolve), 1)
      reject(signal.reason)
    }
    signal.addEventListener("abort", leave, { once: true })
    waiting.push(resolve)
    await promise.finally(() => signal.removeEventListener("abort", leave))
  }
  return {
    async read(html, format, signal) {
      await turn(signal)
      const { text, ended } = readInThread({ html, format }, signal, ms)
      // A thread in the middle of a long step ends a moment after the answer is given up.
      ended.then(() => {
        const next = waiting.shift()
        if (next === undefined) running--
        else next()
      })
      return text
    },
  }
}

interface Reading {
  text: Promise<string>
  /** The thread is gone. */
  ended: Promise<void>
}

function readInThread(page: { html: string; format: "markdown" | "text" }, signal: AbortSignal, ms: number): Reading {
  const worker = new Worker(new URL("./page-thread.ts", import.meta.url), {
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: limits.megabytes },
    stdout: true,
    stderr: true,
  })
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const gone = Promise.withResolvers<void>()
  const late = setTimeout(() => reject(tooMuch()), ms)
  const stop = () => reject(signal.reason)
  signal.addEventListener("abort", stop, { once: true })
  worker.once("message", resolve)
  // A page that nests too deep, or takes too much memory, ends the thread.
  worker.once("error", (cause) => reject(tooMuch(cause)))
  worker.once("exit", () => {
    reject(tooMuch())
    gone.resolve()
  })
  worker.postMessage(page)
  const text = promise.finally(() => {
    clearTimeout(late)
    signal.removeEventListener("abort", stop)
    void worker.terminate()
  })
  return { text, ended: gone.promise }
}

function tooMuch(cause?: unknown): Error {
  return new Error(
    'The page is too large or too deeply nested to be turned into text. Fetch it with format "html", or a smaller page.',
    { cause },
  )
}
