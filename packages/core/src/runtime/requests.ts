import { createHash } from "node:crypto"
import type { Caller } from "../ground/schema/index.ts"

/** How long (ms), and how many, answers of requests without a row of their own are cached. */
const kept = { forMs: 10 * 60_000, most: 1_000 }

/** The requests of one caller under one key. */
export interface KeyedRequests {
  /**
   * Runs `work` for this use case and input. The same request during that time gets the same answer. `id` identifies
   * the request.
   */
  run<T>(useCase: string, input: unknown, work: (id: string) => Promise<T>): Promise<T>
  /** The same, but a later request gets the cached answer too. */
  keep<T>(useCase: string, input: unknown, work: () => Promise<T>): Promise<T>
}

/** Recognises repeated requests by their key, caller, use case and input. */
export function createRequests(clock: () => number): (caller: Caller, key: string) => KeyedRequests {
  const running = new Map<string, Promise<unknown>>()
  /** Oldest first. */
  const answers = new Map<string, { at: number; answer: unknown }>()
  const run = <T>(id: string, work: () => Promise<T>): Promise<T> => {
    const earlier = running.get(id)
    // `as` here and below: the id contains the use case, whose answers have one type.
    if (earlier !== undefined) return earlier as Promise<T>
    const answer = work().finally(() => running.delete(id))
    running.set(id, answer)
    return answer
  }
  const forget = () => {
    const end = clock() - kept.forMs
    for (const [id, { at }] of answers) if (at <= end || answers.size > kept.most) answers.delete(id)
  }
  return ({ workspace, person }, key) => {
    const idOf = (useCase: string, input: unknown) =>
      createHash("sha256")
        .update(JSON.stringify([workspace, person, key, useCase, input]))
        .digest("hex")
    return {
      run(useCase, input, work) {
        const id = idOf(useCase, input)
        return run(id, () => work(id))
      },
      keep<T>(useCase: string, input: unknown, work: () => Promise<T>) {
        const id = idOf(useCase, input)
        forget()
        const earlier = answers.get(id)
        if (earlier !== undefined) return Promise.resolve(earlier.answer as T)
        return run(id, async () => {
          const answer = await work()
          answers.set(id, { at: clock(), answer })
          return answer
        })
      },
    }
  }
}
