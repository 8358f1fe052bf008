/** `1 file`, `3 files`. */
export function formatCount(count: number, noun: string, plural = `${noun}s`): string {
  // Creating a number format takes milliseconds, and small numbers do not need one.
  return `${count < 1_000 ? count : count.toLocaleString("en")} ${count === 1 ? noun : plural}`
}
