/** The clock of the database, which all nodes share: those of hosts may differ by minutes. */
export interface DatabaseClock {
  /** Epoch ms. */
  now(): number
  /** Takes the time that the database said. Pass how it is asked. */
  ask<T extends { now: number }>(question: () => Promise<T>): Promise<T>
}

/** @param elapsed milliseconds of a clock that never jumps, whatever is done to that of the host */
export function createDatabaseClock(elapsed: () => number): DatabaseClock {
  /** What is added to `elapsed`. */
  let offset = 0
  return {
    now: () => Math.round(elapsed() + offset),
    async ask(question) {
      const asked = elapsed()
      const answer = await question()
      offset = answer.now - (asked + elapsed()) / 2
      return answer
    },
  }
}
