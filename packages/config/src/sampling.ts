import { inject } from "vitest"

declare module "vitest" {
  interface ProvidedContext {
    /** Chooses what a run of the tests draws. Printed when it starts; DOCKET_TEST_SEED sets it. */
    seed: number
    /** Whether everything is tried of which a usual run takes a sample: `pnpm test:full`. */
    full: boolean
  }
}

/** What fast-check draws for a property: `numRuns` cases with `pnpm test:full`, else `sampled` of them. */
export function drawn(numRuns = 100, sampled: number = numRuns): { numRuns: number; seed: number } {
  return { numRuns: inject("full") ? numRuns : sampled, seed: inject("seed") }
}

/**
 * Which of the points 0, 1, 2, … of an exhaustive test are tried: all with `pnpm test:full`, else each `every`th, from
 * a first one that the seed chooses. Endless, as only the test knows its last point.
 */
export function* points(every: number): Generator<number, never> {
  const [first, step] = inject("full") ? [0, 1] : [inject("seed") % every, every]
  for (let point = first; ; point += step) yield point
}

/** Numbers from 0 to 1, the same in every run with one seed (mulberry32). */
export function* fractions(): Generator<number, never> {
  let state = inject("seed")
  for (;;) {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    yield ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** What is tried one after another: `all` with `pnpm test:full`, else the `sample`. */
export function tried<Item>(sample: readonly Item[], all: readonly Item[]): readonly Item[] {
  return inject("full") ? all : sample
}
