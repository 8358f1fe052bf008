/** Splits into lines and keeps at most `limit` bytes of one; `onExcess` is called once there are more. */
export function linesWithin(
  limit: number,
  onLine: (line: Buffer) => void,
  onExcess: () => void,
): (data: Buffer) => void {
  let kept: Buffer[] = []
  let size = 0
  return (data) => {
    let rest = data
    for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10)) {
      if (size + end <= limit) onLine(Buffer.concat([...kept, rest.subarray(0, end)]))
      kept = []
      size = 0
      rest = rest.subarray(end + 1)
    }
    size += rest.length
    if (size <= limit) return void kept.push(rest)
    kept = []
    onExcess()
  }
}
