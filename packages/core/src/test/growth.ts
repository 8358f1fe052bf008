const repeats = 5
/** Ten times the size takes about ten times as long. What seems to take longer is measured again before it is believed. */
const unremarkable = 20
const mostRounds = 6

/**
 * How many times the processor time of this thread that `work` takes for `large` instead of for `small`, each at its
 * best of five, or of up to thirty where chance was in the way: memory that is cleared up counts as this thread's time.
 * What else runs on the machine does not count, and below a millisecond chance decides, so `small` counts as one at least.
 */
export async function growth(
  work: (size: number) => unknown,
  { small, large }: { small: number; large: number },
): Promise<number> {
  const best = { small: Number.POSITIVE_INFINITY, large: Number.POSITIVE_INFINITY }
  const ratio = () => best.large / Math.max(1, best.small)
  for (let round = 0; round === 0 || (ratio() > unremarkable && round < mostRounds); round++) {
    best.large = Math.min(best.large, await milliseconds(work, large))
    best.small = Math.min(best.small, await milliseconds(work, small))
  }
  return ratio()
}

async function milliseconds(work: (size: number) => unknown, size: number): Promise<number> {
  const times: number[] = []
  for (let turn = 0; turn < repeats; turn++) {
    const start = process.threadCpuUsage()
    await work(size)
    const { user, system } = process.threadCpuUsage(start)
    times.push((user + system) / 1_000)
  }
  return Math.min(...times)
}
