interface PullDeps {
  /** How often it fetches without a reason (ms): notifications may be lost. */
  everyMs: number
  /** Fetches what there is room for, and begins to work on it. */
  fetch(): Promise<void>
  onError(error: unknown): void
}

/** Fetches jobs, one fetch at a time. */
export interface Pull {
  start(): void
  /** There may be something to fetch, or room for it. */
  look(): void
  /** Resolves when no fetch is under way. */
  stop(): Promise<void>
}

export function createPull({ everyMs, fetch, onError }: PullDeps): Pull {
  let isStarted = false
  let again = false
  let fetching: Promise<void> | null = null
  let timer: NodeJS.Timeout | undefined
  const fetchAll = async () => {
    while (again && isStarted) {
      again = false
      await fetch().catch(onError)
    }
  }
  const look = () => {
    again = true
    fetching ??= fetchAll().finally(() => {
      fetching = null
      // A look may have come after the last fetch and before this.
      if (again && isStarted) look()
    })
  }
  return {
    start() {
      isStarted = true
      clearInterval(timer)
      timer = setInterval(look, everyMs).unref()
      look()
    },
    look,
    async stop() {
      isStarted = false
      clearInterval(timer)
      await fetching
    },
  }
}
