export interface LazyClient<Client> {
  run<T>(work: (client: Client) => Promise<T>): Promise<T>
  /** Ends what the client holds; the connections below it stay. */
  close(): Promise<void>
}

/** Prisma's client, loaded when it is needed first: it takes 20 MiB and a third of the work of a start. */
export function lazyClient<Client extends { $disconnect(): Promise<void> }>(
  load: () => Promise<Client>,
): LazyClient<Client> {
  let loaded: Promise<Client> | undefined
  return {
    async run(work) {
      loaded ??= load().catch((error) => {
        // Tried again by the next call.
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

/** What both clients are made with, but for the adapter. */
export const clientOptions = {
  // Prisma's own are 2 and 5 seconds; the removal of a large tenant takes longer, and others wait for it (ms).
  transactionOptions: { maxWait: 600_000, timeout: 600_000 },
  // Otherwise each call notes where in the source it was made.
  errorFormat: "minimal",
} as const
