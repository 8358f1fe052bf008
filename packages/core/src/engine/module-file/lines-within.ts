/** Splits into lines and keeps at most `limit` bytes of one; `onExcess` gets the beginning of a line that has more, once. */
export function linesWithin(
  limit: number,
  onLine: (line: Buffer) => void,
  onExcess: (start: Buffer) => void,
): (data: Buffer) => void {
  let kept: Buffer[] = []
  let size = 0
  return (data) => {
    let rest = data
    for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10)) {
      if (size + end <= limit) onLine(Buffer.concat([...kept, rest.subarray(0, end)]))
      else if (size <= limit) onExcess(kept[0] ?? rest)
      kept = []
      size = 0
      rest = rest.subarray(end + 1)
    }
    if (rest.length === 0) return
    const isKnown = size > limit
    size += rest.length
    kept.push(rest)
    if (size <= limit) return
    if (!isKnown) onExcess(kept[0] ?? rest)
    kept = []
  }
}
