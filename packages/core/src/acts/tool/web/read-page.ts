import { createThreads } from "../../../ground/concurrency/threads.ts"

/** How long reading a page may take (ms), and how much memory (MB). */
const limits = { ms: 10_000, megabytes: 512, atOnce: 2 } as const

export interface PageReader {
  /**
   * The text of an HTML page, see `readHtml`. It is read in a thread that starts for it and ends with it.
   * @throws Error when it takes too long or too much memory
   */
  read(html: string, format: "markdown" | "text", signal: AbortSignal): Promise<string>
}

/** @param ms how long a page may take */
export function createPageReader({ ms = limits.ms }: { ms?: number } = {}): PageReader {
  const threads = createThreads({ ...limits, ms, file: new URL("./page-thread.ts", import.meta.url) })
  return {
    read: (html, format, signal) =>
      threads.run({ html, format }, signal).then(String, (cause: unknown) => {
        signal.throwIfAborted()
        throw tooMuch(cause)
      }),
  }
}

function tooMuch(cause: unknown): Error {
  return new Error(
    'The page is too large or too deeply nested to be turned into text. Fetch it with format "html", or a smaller page.',
    { cause },
  )
}
