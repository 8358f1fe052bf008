/** A language server that takes a place, while it does. */
export interface PlacedServer {
  /** Checks and questions that wait for it. */
  waiting: number
  /** Monotonic ms. */
  usedAt: number
  stop(): void
}

/** The places of all language servers of a service. */
export interface ServerRoom {
  /**
   * Takes a place, for which the idle server that was used least lately is stopped. Call the returned function when the
   * server is over.
   * @throws Error when all servers are at work
   */
  enter(server: PlacedServer): () => void
}

/** Servers that run at once, whatever their workspace: each can take more than a gigabyte. */
const maxServers = 8

export function createServerRoom(): ServerRoom {
  const placed = new Set<PlacedServer>()
  return {
    enter(server) {
      if (placed.size >= maxServers) {
        const [idle] = [...placed].filter(({ waiting }) => waiting === 0).sort((a, b) => a.usedAt - b.usedAt)
        if (idle === undefined) throw new Error(`${maxServers} language servers are at work; none more is started`)
        placed.delete(idle)
        idle.stop()
      }
      placed.add(server)
      return () => void placed.delete(server)
    },
  }
}
