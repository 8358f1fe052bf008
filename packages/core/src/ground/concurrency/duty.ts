/** What a process does for all while it has a duty. */
export interface DutyWork {
  begin(): Promise<void>
  /** Resolves when nothing of it goes on. */
  end(): Promise<void>
}

/** Something that one process at a time does for all. When that dies, another one gets the duty. */
export interface Duty {
  /** Does the work while this process has the duty. Returns a function that ends this for good. */
  join(work: DutyWork): () => Promise<void>
}

export interface Duties {
  /** For the projects whose files this process has. */
  files: Duty
  /** For what is in rows alone. */
  rows: Duty
}

export interface HeldDuty extends Duty {
  /** This process has the duty until the signal aborts. Resolves when no work goes on. */
  hold(signal: AbortSignal): Promise<void>
}

export function createDuty(onError: (error: unknown) => void): HeldDuty {
  /** The last change of each work: they come one after the other. */
  const works = new Map<DutyWork, Promise<void>>()
  let isHeld = false
  const then = (work: DutyWork, change: () => Promise<void>) => {
    const done = (works.get(work) ?? Promise.resolve()).then(change).catch(onError)
    works.set(work, done)
    return done
  }
  return {
    join(work) {
      works.set(work, Promise.resolve())
      if (isHeld) void then(work, work.begin)
      return async () => {
        const ended = then(work, work.end)
        works.delete(work)
        await ended
      }
    },
    async hold(signal) {
      if (signal.aborted) return
      const ended = Promise.withResolvers<unknown>()
      // At once: this process may get the duty again before what it did has ended.
      const lose = () => {
        isHeld = false
        ended.resolve(Promise.all([...works.keys()].map((work) => then(work, work.end))))
      }
      signal.addEventListener("abort", lose, { once: true })
      isHeld = true
      for (const work of works.keys()) void then(work, work.begin)
      await ended.promise
    },
  }
}
