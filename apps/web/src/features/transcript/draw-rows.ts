/** How many rows one step draws: few enough for the page to answer soon after it on a slow phone. */
const rowsAStep = 3

type Key = string | number | bigint

/** What is drawn after the next step: the rows that are and still belong there, and some of those that are missing. */
export function drawMore(drawn: ReadonlySet<Key>, wanted: readonly Key[]): ReadonlySet<Key> {
  const stay = wanted.filter((key) => drawn.has(key))
  const come = wanted.filter((key) => !drawn.has(key)).slice(0, rowsAStep)
  return new Set([...stay, ...come])
}
