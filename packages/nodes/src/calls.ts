import { randomUUID } from "node:crypto"
import { setTimeout as delay } from "node:timers/promises"
import { DocketError } from "@docket/core"
import type { Job, PgBoss } from "pg-boss"
import { createPull } from "./pull.ts"
import { type Wake, wakeStatement } from "./wake.ts"

/** How often calls and answers are looked for without a reason: notifications may be lost (ms). */
const lookMs = 1_000
/** How long the database may be away (ms), and how often it is tried meanwhile: nodes end when it is away for longer. */
const away = { mostMs: 120_000, againMs: 500 }
/** How many calls a node answers at a time. */
const atOnce = 32
/** A call that nobody answers fails after this (s). */
const withinSeconds = 600
const prefix = "call"

const endStates = new Set<string>(["completed", "failed", "cancelled"])

interface CallData {
  request: string
}

interface CallOutput {
  answer: string
}

/**
 * Lets a node ask another one, through the database alone: a worker has to be reached by nobody, so it opens no port for
 * this, and there is no second secret.
 */
export interface Calls {
  /**
   * Resolves with the answer of a node that serves `target`, such as a place. `isServed` says whether there is one.
   * @throws host_away when there is none any more; the call may have been carried out nevertheless
   */
  call(target: string, request: string, options: CallOptions): Promise<string>
  /** Answers calls to these targets. `answer` never rejects: failures are part of its answer. */
  serve(targets: readonly string[], answer: (request: string) => Promise<string>): Promise<void>
  /** Answers no more calls; resolves when those at work are answered. */
  close(): Promise<void>
}

interface Served {
  queues: string[]
  answer(request: string): Promise<string>
}

export interface CallOptions {
  isServed(): boolean
  signal?: AbortSignal | undefined
}

export function createCalls(boss: PgBoss, wake: Wake, onError: (error: unknown) => void): Calls {
  const known = new Set<string>()
  const atWork = new Set<Promise<void>>()
  const waiting = new Map<string, () => void>()
  let served: Served | null = null

  const createQueue = async (name: string) => {
    if (known.has(name)) return
    await boss.createQueue(name, {
      // A call is made once: its caller hears of a failure, and may call again.
      ...{ retryLimit: 0, expireInSeconds: withinSeconds, retentionSeconds: withinSeconds, deleteAfterSeconds: 60 },
    })
    known.add(name)
  }
  /** Repeats what is the same however often it is done, while the database is away: who asked is not to be told of a failure. */
  const untilStored = async <T>(attempt: () => Promise<T>, signal?: AbortSignal): Promise<T> => {
    for (let waitedMs = 0; ; waitedMs += away.againMs) {
      try {
        return await attempt()
      } catch (error) {
        if (waitedMs >= away.mostMs) throw error
        if (waitedMs === 0) onError(error)
        await delay(away.againMs, undefined, { signal })
      }
    }
  }
  const tell = async (text: string) => {
    const { sql, values } = wakeStatement(text)
    await boss.getDb().executeSql(sql, [...values])
  }
  const answerOne = async (queue: string, { id, data }: Job<CallData>, { answer }: Served) => {
    const output: CallOutput = { answer: await answer(data.request) }
    await untilStored(() => boss.complete(queue, id, output))
    await tell(`answer ${id}`)
  }
  const fetch = async () => {
    for (const queue of served?.queues ?? []) {
      const batchSize = atOnce - atWork.size
      if (batchSize <= 0 || served === null) return
      for (const job of await boss.fetch<CallData>(queue, { batchSize })) {
        const work = answerOne(queue, job, served).catch(onError)
        atWork.add(work)
        void work.then(() => {
          atWork.delete(work)
          pull.look()
        })
      }
    }
  }
  const pull = createPull({ everyMs: lookMs, fetch, onError })
  const unlisten = wake.listen((text) => {
    if (text === null) {
      for (const check of waiting.values()) check()
      pull.look()
    } else if (text.startsWith("answer ")) waiting.get(text.slice("answer ".length))?.()
    else if (served?.queues.some((queue) => text === `call ${queue}`)) pull.look()
  })
  return {
    async call(target, request, { isServed, signal }) {
      const queue = queueOf(target)
      await createQueue(queue)
      // With an id of ours, it is sent once, though the answer to an attempt was lost.
      const id = randomUUID()
      await untilStored(() => boss.send(queue, { request } satisfies CallData, { id }), signal)
      const heard = Promise.withResolvers<void>()
      let next = heard
      waiting.set(id, () => next.resolve())
      let isOver = false
      try {
        // Without it, the call is found a little later.
        await tell(`call ${queue}`).catch(onError)
        while (true) {
          await untilHeard(next.promise, signal)
          next = Promise.withResolvers()
          const [job] = await untilStored(() => boss.findJobs<CallData>(queue, { id }), signal)
          isOver = job === undefined || endStates.has(job.state)
          if (job?.state === "completed") return (job.output as unknown as CallOutput).answer
          if (isOver || !isServed()) throw hostAway()
        }
      } finally {
        waiting.delete(id)
        if (!isOver) await boss.cancel(queue, id).catch(onError)
      }
    },
    async serve(targets, answer) {
      const queues = targets.map(queueOf)
      for (const queue of queues) await createQueue(queue)
      served = { queues, answer }
      pull.start()
    },
    async close() {
      await pull.stop()
      await Promise.all(atWork)
      unlisten()
    },
  }
}

async function untilHeard(heard: Promise<void>, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted()
  const over = Promise.withResolvers<void>()
  const timer = setTimeout(over.resolve, lookMs)
  signal?.addEventListener("abort", over.resolve as () => void)
  try {
    await Promise.race([heard, over.promise])
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener("abort", over.resolve as () => void)
  }
  signal?.throwIfAborted()
}

function queueOf(target: string): string {
  return `${prefix}/${target.replace(":", "/")}`
}

function hostAway(): DocketError {
  return new DocketError("host_away", "The host with these files did not answer. Is its worker running?")
}
