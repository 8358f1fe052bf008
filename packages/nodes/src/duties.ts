import type { PgBoss } from "pg-boss"
import { type Claim, type Claims, createClaims, GivenBack } from "./claims.ts"
import { expireInSeconds, heartbeatSeconds } from "./pg-boss-engine.ts"
import { createPull } from "./pull.ts"
import { type Wake, wakeStatement } from "./wake.ts"

/** How often a duty that another node has is asked for (ms). */
const lookMs = 2_000
const prefix = "duty"

/**
 * Duties of which each is had by one node at a time. When its node dies, another one that wants it gets it within
 * seconds, as it gets trees.
 */
export interface Duties {
  /**
   * Calls `hold` each time this node has the duty. Its signal aborts when another node may have it; the duty is given to
   * others when it resolves.
   */
  want(name: string, hold: (signal: AbortSignal) => Promise<void>): Promise<void>
  /** Gives the duties to others, and resolves when nothing is done for them here. */
  giveBack(): Promise<void>
  /** Wants them again. */
  resume(): void
  close(): Promise<void>
}

export interface DutiesDeps {
  boss: PgBoss
  wake: Wake
  /** Milliseconds of a clock that never jumps. */
  now(): number
  onError(error: unknown): void
}

/** A queue of pg-boss for each duty, which has at most one job: who has the job has the duty. */
export function createDuties({ boss, wake, now, onError }: DutiesDeps): Duties {
  const claims: Claims = createClaims({ boss, now, onError })
  const wanted = new Map<string, (signal: AbortSignal) => Promise<void>>()
  const held = new Set<string>()

  const end = async ({ job, queue, lost }: Claim) => {
    if (lost.signal.aborted && !(lost.signal.reason instanceof GivenBack)) return
    await boss.fail(queue, job)
    const { sql, values } = wakeStatement(wakeText(queue))
    await boss.getDb().executeSql(sql, [...values])
  }
  const begin = (job: Claim["job"], queue: string, hold: (signal: AbortSignal) => Promise<void>) => {
    const claim = claims.add(job, queue)
    held.add(queue)
    claim.done = hold(claim.lost.signal)
      .catch(onError)
      .then(() => end(claim))
      .catch(onError)
      .finally(() => {
        claims.remove(claim)
        held.delete(queue)
        pull.look()
      })
  }
  const fetch = async () => {
    for (const [queue, hold] of wanted) {
      if (held.has(queue)) continue
      // The queue takes it only while it has none.
      await boss.send(queue, {})
      const [job] = await boss.fetch<object>(queue, { batchSize: 1, includeMetadata: true })
      if (job !== undefined) begin(job, queue, hold)
    }
  }
  const pull = createPull({ everyMs: lookMs, fetch, onError })
  const unlisten = wake.listen((text) => {
    if (text === null || [...wanted.keys()].some((queue) => text === wakeText(queue))) pull.look()
  })
  const giveBack = async () => {
    await pull.stop()
    await claims.giveBack()
  }
  return {
    async want(name, hold) {
      // pg-boss takes letters, digits, `_`, `-`, `.` and `/` in names.
      const queue = `${prefix}/${name.replace(":", "/")}`
      await boss.createQueue(queue, {
        ...{ policy: "exclusive", heartbeatSeconds, expireInSeconds },
        ...{ retryLimit: 1_000, deleteAfterSeconds: 600 },
      })
      wanted.set(queue, hold)
      claims.start()
      pull.start()
    },
    giveBack,
    resume: pull.start,
    async close() {
      unlisten()
      await giveBack()
      claims.stop()
    },
  }
}

function wakeText(queue: string): string {
  return `free ${queue}`
}
