/** A piece of a source that reads differently in the view of it. */
export interface Cut {
  start: number
  end: number
  text: string
}

/** A text as it reads once something in it is taken away or decoded, with the way back to where it came from. */
export interface DecodedText {
  text: string
  /** Where in the source the unit at `index` begins. */
  from(index: number): number
  /** Where in the source the units before `index` end. */
  to(index: number): number
  /** Where something of the source was taken out or decoded to make it, in order. */
  seams: readonly number[]
}

export function undecoded(text: string): DecodedText {
  return { text, from: (index) => index, to: (index) => index, seams: [] }
}

/** The source with these pieces replaced. They are in order and do not overlap. */
export function withCuts(source: DecodedText, cuts: readonly Cut[]): DecodedText {
  if (cuts.length === 0) return source
  const pieces: string[] = []
  // Of each cut: where it stands in the view, how long it is there, and where it ends in the source.
  const seams: number[] = []
  const lengths: number[] = []
  const ends: number[] = []
  const starts: number[] = []
  let at = 0
  let length = 0
  for (const { start, end, text } of cuts) {
    pieces.push(source.text.slice(at, start), text)
    length += start - at
    seams.push(length)
    lengths.push(text.length)
    starts.push(start)
    ends.push(end)
    length += text.length
    at = end
  }
  pieces.push(source.text.slice(at))
  const place = (index: number, isEnd: boolean): number => {
    const nth = lastAtMost(seams, isEnd ? index - 1 : index)
    if (nth < 0) return index
    const within = index - number(seams, nth)
    if (within >= number(lengths, nth)) return number(ends, nth) + within - number(lengths, nth)
    return number(isEnd ? ends : starts, nth)
  }
  return {
    text: pieces.join(""),
    from: (index) => source.from(place(index, false)),
    to: (index) => (index === 0 ? 0 : source.to(place(index, true))),
    seams,
  }
}

/** Where lines were joined between two places. */
export function seamsWithin({ seams }: DecodedText, start: number, end: number): readonly number[] {
  // Lines of which nothing is left in the view have one place.
  return [...new Set(seams.slice(lastAtMost(seams, start) + 1, lastAtMost(seams, end - 1) + 1))]
}

/** The index of the last of the rising `values` that is at most `limit`; -1 when there is none. */
export function lastAtMost(values: readonly number[], limit: number): number {
  let low = 0
  let high = values.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (number(values, middle) <= limit) low = middle + 1
    else high = middle
  }
  return low - 1
}

/** Of an index that is known to be in the list. */
function number(values: readonly number[], index: number): number {
  return values[index] ?? 0
}
