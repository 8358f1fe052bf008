import { setTimeout as delay } from "node:timers/promises"

/** What has not come after this long does not come (ms). */
const limitMs = 120_000
const pauseMs = 20

/**
 * Resolves with the first value that is neither false, null nor undefined.
 * @param step of the work that it waits for: while that changes, the wait goes on
 * @throws Error when none comes
 */
export async function until<T>(
  what: string,
  look: () => T | Promise<T>,
  step: () => unknown = () => null,
): Promise<Exclude<T, false | null | undefined>> {
  let end = performance.now() + limitMs
  let last = step()
  while (performance.now() < end) {
    const value = await look()
    if (value !== false && value !== null && value !== undefined) return value as Exclude<T, false | null | undefined>
    await delay(pauseMs)
    if (step() === last) continue
    last = step()
    end = performance.now() + limitMs
  }
  throw new Error(`in ${limitMs / 1000} s it did not come that ${what}`)
}
