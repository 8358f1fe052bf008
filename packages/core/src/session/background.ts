/** Work that nobody waits for until the end of the process. */
export interface Background {
  /** The work must not reject. */
  add(work: Promise<void>): void
  done(): Promise<void>
}

export function createBackground(): Background {
  const running = new Set<Promise<void>>()
  return {
    add(work) {
      running.add(work)
      void work.then(() => running.delete(work))
    },
    async done() {
      await Promise.all(running)
    },
  }
}
