/** Random numbers that are the same for the same seed. */
export interface Random {
  /** At least `from`, less than `to`. */
  between(from: number, to: number): number
  one<T>(of: readonly [T, ...T[]]): T
}

/** The generator mulberry32, started with `seed`. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return {
    between: (from, to) => from + next() * (to - from),
    one: (of) => of[Math.floor(next() * of.length)] ?? of[0],
  }
}
