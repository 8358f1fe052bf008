export interface LazyClient<Client> {
  run<T>(work: (client: Client) => Promise<T>): Promise<T>
  /** Closes the client, but not the connections that it uses. */
  close(): Promise<void>
}

/** Loads Prisma's client at its first use, because loading takes 20 MiB and a third of the start time. */
export function lazyClient<Client extends { $disconnect(): Promise<void> }>(
  load: () => Promise<Client>,
): LazyClient<Client> {
  let loaded: Promise<Client> | undefined
  return {
    async run(work) {
      loaded ??= load().catch((error) => {
        // The next call tries again.
        loaded = undefined
        throw error
      })
      return work(await loaded)
    },
    async close() {
      await (await loaded)?.$disconnect()
    },
  }
}

/** The options of both clients, except the adapter. */
export const clientOptions = {
  // Prisma's defaults are 2 and 5 seconds; removing a large tenant takes longer, and other calls wait for it (ms).
  transactionOptions: { maxWait: 600_000, timeout: 600_000 },
  // Other formats make each call record its place in the source.
  errorFormat: "minimal",
} as const
