const repeats = 5

/**
 * How many times the processor time of this thread that `work` takes for `large` instead of for `small`, each at its
 * best of five. What else runs on the machine does not count, and below a millisecond chance decides, so `small` counts
 * as one at least.
 */
export async function growth(
  work: (size: number) => unknown,
  { small, large }: { small: number; large: number },
): Promise<number> {
  return (await milliseconds(work, large)) / Math.max(1, await milliseconds(work, small))
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
