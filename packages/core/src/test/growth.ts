/** Runs in a round, of which the fastest counts. */
const repeats = 5
/** Ten times the size should take about ten times as long. A ratio above this limit is measured again, to be sure. */
const unremarkable = 20
/** The most rounds when the ratio stays above the limit. */
const mostRounds = 6

/**
 * The ratio of this thread's processor time for `large` and for `small`. Each is the best of five runs, or of up to
 * thirty if the results vary, because garbage collection counts too. Other programs do not count. `small` counts as at
 * least 1 ms, because shorter times are random.
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
