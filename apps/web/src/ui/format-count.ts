/** `1 file`, `3 files`. */
export function formatCount(count: number, noun: string, plural = `${noun}s`): string {
  // A format of the browser takes milliseconds to make, and changes nothing of most counts.
  return `${count < 1_000 ? count : count.toLocaleString("en")} ${count === 1 ? noun : plural}`
}
