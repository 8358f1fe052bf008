import type { JobWithMetadata, PgBoss } from "pg-boss"

/** How often pg-boss is told which jobs this node still has (ms). */
const refreshMs = 3_000
/** A node that could not tell for so long stops its work, before another node may begin (ms). */
const silenceMs = 7_000
/** How often that is looked at (ms). */
const guardMs = 500

/** A job that this node has. */
export interface Claim {
  job: JobWithMetadata<object>
  queue: string
  /** Aborted with the claim, by `ClaimLost` or `GivenBack`. */
  lost: AbortController
  /** Resolves when the work has ended, and pg-boss knows. */
  done: Promise<void>
}

export interface Claims {
  readonly size: number
  add(job: Claim["job"], queue: string): Claim
  remove(claim: Claim): void
  /** Begins to confirm the claims. */
  start(): void
  /** Gives all claims up, and resolves when their work has ended. */
  giveBack(): Promise<void>
  stop(): void
}

interface ClaimsDeps {
  boss: Pick<PgBoss, "touch" | "findJobs">
  /** Milliseconds of a clock that never jumps. */
  now(): number
  onError(error: unknown): void
}

/** The jobs of this node. It confirms all of them at once, and stops the work on those that it has no more. */
export function createClaims({ boss, now, onError }: ClaimsDeps): Claims {
  const claims = new Map<string, Claim>()
  let lastSign = now()
  let timers: NodeJS.Timeout[] = []
  const refresh = async () => {
    const from = now()
    for (const [queue, all] of Map.groupBy(claims.values(), (claim) => claim.queue)) {
      const jobs = all.map(({ job }) => job)
      // pg-boss's type leaves out how many jobs it found, which its manual promises.
      const { affected } = (await boss.touch(queue, jobs)) as { affected: number }
      if (affected === jobs.length) continue
      for (const claim of all) if (!(await isStillHeld(claim))) lose(claim, new ClaimLost())
    }
    lastSign = from
  }
  const isStillHeld = async ({ job, queue }: Claim) => {
    const [row] = await boss.findJobs(queue, { id: job.id })
    return row?.state === "active" && row.retryCount === job.retryCount
  }
  const guard = () => {
    if (claims.size === 0) lastSign = now()
    if (now() - lastSign >= silenceMs) for (const claim of claims.values()) lose(claim, new ClaimLost())
  }
  return {
    get size() {
      return claims.size
    },
    add(job, queue) {
      if (claims.size === 0) lastSign = now()
      const claim: Claim = { job, queue, lost: new AbortController(), done: Promise.resolve() }
      claims.set(job.id, claim)
      return claim
    },
    remove(claim) {
      // After a loss, this node may have got the same job again.
      if (claims.get(claim.job.id) === claim) claims.delete(claim.job.id)
    },
    start() {
      for (const timer of timers) clearInterval(timer)
      timers = [setInterval(() => void refresh().catch(onError), refreshMs), setInterval(guard, guardMs)]
      for (const timer of timers) timer.unref()
    },
    async giveBack() {
      const all = [...claims.values()]
      for (const claim of all) lose(claim, new GivenBack())
      await Promise.all(all.map(({ done }) => done))
    },
    stop() {
      for (const timer of timers) clearInterval(timer)
    },
  }
}

function lose({ lost }: Claim, reason: Error): void {
  if (!lost.signal.aborted) lost.abort(reason)
}

/** This node could not confirm in time that it has the work, or another node has it. */
class ClaimLost extends Error {
  constructor() {
    super("Another node may have this work by now.")
  }
}

export class GivenBack extends Error {
  constructor() {
    super("This node gives the work to others.")
  }
}
