import { Worker } from "node:worker_threads"

/** Work on what others wrote, which may be made to take for ever: each in a thread that starts for it and ends with it. */
export interface Threads {
  /**
   * Resolves with what the thread answers to the message.
   * @throws Error when it takes too long or too much memory
   */
  run(message: unknown, signal?: AbortSignal): Promise<unknown>
}

interface ThreadsOptions {
  /** The script, which answers one message. */
  file: URL
  /** How long one may take, and how much memory (MB). */
  ms: number
  megabytes: number
  /** How many work at once; each takes a processor. */
  atOnce: number
}

const never = new AbortController().signal

export function createThreads({ atOnce, ...limits }: ThreadsOptions): Threads {
  const waiting: (() => void)[] = []
  let running = 0
  /** Resolves when a thread may start. */
  const turn = async (signal: AbortSignal): Promise<void> => {
    signal.throwIfAborted()
    if (running < atOnce) {
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
    async run(message, signal = never) {
      await turn(signal)
      const { answer, ended } = runInThread(message, signal, limits)
      // A thread in the middle of a long step ends a moment after the answer is given up.
      ended.then(() => {
        const next = waiting.shift()
        if (next === undefined) running--
        else next()
      })
      return answer
    },
  }
}

interface Running {
  answer: Promise<unknown>
  /** The thread is gone. */
  ended: Promise<void>
}

function runInThread(message: unknown, signal: AbortSignal, limits: Omit<ThreadsOptions, "atOnce">): Running {
  const worker = new Worker(limits.file, {
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: limits.megabytes },
    stdout: true,
    stderr: true,
  })
  const { promise, resolve, reject } = Promise.withResolvers<unknown>()
  const gone = Promise.withResolvers<void>()
  const late = setTimeout(() => reject(tooMuch()), limits.ms)
  const stop = () => reject(signal.reason)
  signal.addEventListener("abort", stop, { once: true })
  worker.once("message", resolve)
  // What nests too deep, or takes too much memory, ends the thread.
  worker.once("error", (cause) => reject(tooMuch(cause)))
  worker.once("exit", () => {
    reject(tooMuch())
    gone.resolve()
  })
  worker.postMessage(message)
  const answer = promise.finally(() => {
    clearTimeout(late)
    signal.removeEventListener("abort", stop)
    void worker.terminate()
  })
  return { answer, ended: gone.promise }
}

function tooMuch(cause?: unknown): Error {
  return new Error("it takes too long or too much memory", { cause })
}
