import { setTimeout as delay } from "node:timers/promises"
import type { ExecuteSql, GivenTree, ServeOptions, TurnEngine } from "@docket/core/turn-engine"
import type { Db, JobWithMetadata, PgBoss } from "pg-boss"
import { type Claim, createClaims, GivenBack } from "./claims.ts"
import { createPull } from "./pull.ts"
import { type Wake, wakeStatement } from "./wake.ts"

const prefix = "turn"
/** Without a sign from its node for so long, work is given to another one (s). pg-boss takes no less. */
export const heartbeatSeconds = 10
/** How often dead nodes are looked for (s). */
export const superviseIntervalSeconds = 1
/** How often jobs are looked for without a reason: notifications may be lost (ms). */
const lookMs = 1_000
/** pg-boss ends a job after this long, however alive its node is (s): its longest. A tree rarely works for a day. */
export const expireInSeconds = 24 * 3600
/** After so many failures, a tree is left to its next prompt; the pause before each further attempt (ms). */
const usualFailures = { most: 20, pauseMs: 1_000 }

interface TreeData {
  tenantID: string
  rootID: string
}

type TreeJob = JobWithMetadata<TreeData>

export interface PgBossEngineDeps {
  boss: PgBoss
  wake: Wake
  /** Milliseconds of a clock that never jumps. */
  now(): number
  failures?: typeof usualFailures
  onError(error: unknown): void
}

/**
 * Queues of pg-boss, one for each place, with the tree as key: jobs of a key run one after the other. It fetches and
 * confirms jobs in batches instead of by pg-boss's workers, each of which would ask the database by itself.
 */
export function createPgBossEngine({
  boss,
  wake,
  now,
  failures = usualFailures,
  onError,
}: PgBossEngineDeps): TurnEngine {
  const claims = createClaims({ boss, now, onError })
  const known = new Set<string>()
  let options: ServeOptions | null = null

  const createQueue = async (name: string) => {
    if (known.has(name)) return
    await boss.createQueue(name, {
      ...{ policy: "key_strict_fifo", heartbeatSeconds, expireInSeconds },
      ...{ retryLimit: 1_000, deleteAfterSeconds: 600 },
    })
    known.add(name)
  }

  const statement: ExecuteSql = (sql, values) => boss.getDb().executeSql(sql, values && [...values])
  const wakeNodes = (queue: string, execute: ExecuteSql = statement) => {
    const { sql, values } = wakeStatement(wakeText(queue))
    return execute(sql, values)
  }

  const end = async ({ job, queue, lost }: Claim, error: unknown) => {
    const isGivenBack = lost.signal.reason instanceof GivenBack
    if (lost.signal.aborted && !isGivenBack) return
    if (error === null || job.retryCount >= failures.most) return void (await boss.complete(queue, job))
    if (!isGivenBack) await delay(failures.pauseMs)
    await boss.fail(queue, job, { message: String(error) })
    await wakeNodes(queue)
  }
  const run = (job: TreeJob, queue: string, { work }: ServeOptions) => {
    const claim = claims.add(job, queue)
    const { signal } = claim.lost
    const tree: GivenTree = { ...job.data, place: placeOf(queue), wasHeld: job.retryCount > 0, signal }
    const failure = (error: unknown) => {
      if (!signal.aborted) onError(error)
      return error
    }
    claim.done = work(tree)
      .then(() => null, failure)
      .then((error) => end(claim, error))
      // The job is then given to a node again, which finds what is done.
      .catch(onError)
      .finally(() => {
        claims.remove(claim)
        pull.look()
      })
  }
  const fetch = async () => {
    for (const queue of options?.places.map(queueOf) ?? []) {
      const batchSize = options === null ? 0 : options.capacity - claims.size
      if (batchSize <= 0 || options === null) return
      const jobs = await boss.fetch<TreeData>(queue, { batchSize, includeMetadata: true })
      for (const job of jobs) run(job, queue, options)
    }
  }
  const pull = createPull({ everyMs: lookMs, fetch, onError })
  const unlisten = wake.listen((text) => {
    if (text === null || options?.places.some((place) => text === wakeText(queueOf(place)))) pull.look()
  })
  const giveBack = async () => {
    await pull.stop()
    await claims.giveBack()
  }
  return {
    async enqueue(trees, execute) {
      for (const [queue, all] of Map.groupBy(trees, ({ place }) => queueOf(place))) {
        await createQueue(queue)
        const jobs = all.map(({ tenantID, rootID }) => ({
          data: { tenantID, rootID },
          singletonKey: `${tenantID}/${rootID}`,
        }))
        await boss.insert(queue, jobs, execute && { db: databaseOf(execute) })
        await wakeNodes(queue, execute)
      }
    },
    async serve(given) {
      for (const place of given.places) await createQueue(queueOf(place))
      options = given
      claims.start()
      pull.start()
    },
    pause: () => void pull.stop(),
    resume: pull.start,
    giveBack,
    async stats() {
      const queues = await boss.getQueues()
      return queues
        .filter(({ name }) => name.startsWith(`${prefix}/`))
        .map(({ name, queuedCount, activeCount }) => ({
          ...{ place: placeOf(name), queued: queuedCount, active: activeCount },
        }))
    },
    async close() {
      unlisten()
      await giveBack()
      claims.stop()
    },
  }
}

/** pg-boss takes letters, digits, `_`, `-`, `.` and `/` in names. */
function queueOf(place: string): string {
  return `${prefix}/${place.replace(":", "/")}`
}

function placeOf(queue: string): string {
  return queue.slice(prefix.length + 1).replace("/", ":")
}

function wakeText(queue: string): string {
  return `job ${queue}`
}

function databaseOf(execute: ExecuteSql): Db {
  return { executeSql: async (text, values) => ({ rows: [...(await execute(text, values)).rows] }) }
}
