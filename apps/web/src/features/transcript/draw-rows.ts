/** How many rows one step draws. The number is small so that the page still answers quickly on a slow phone. */
const rowsAStep = 3

type Key = string | number | bigint

/** The rows after the next step: those already drawn and still laid out, plus a few of the missing ones. */
export function drawMore(drawn: ReadonlySet<Key>, laidOut: readonly Key[]): ReadonlySet<Key> {
  const stay = laidOut.filter((key) => drawn.has(key))
  const come = laidOut.filter((key) => !drawn.has(key)).slice(0, rowsAStep)
  return new Set([...stay, ...come])
}
