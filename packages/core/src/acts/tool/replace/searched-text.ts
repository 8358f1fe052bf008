/** A text with LF as its only line end, in lines. `starts` holds the position of the first character of each line. */
export interface SearchedText {
  text: string
  lines: string[]
  starts: number[]
}

/** A stretch of a text, from its first character to the one after its last. */
export interface Region {
  start: number
  end: number
}

export function toLf(text: string): string {
  return text.replaceAll("\r\n", "\n")
}

export function searchedText(text: string): SearchedText {
  const lines = text.split("\n")
  const starts: number[] = []
  let at = 0
  for (const line of lines) {
    starts.push(at)
    at += line.length + 1
  }
  return { text, lines, starts }
}

/** The lines from `first` to `last` without the line end of the last one. */
export function regionOfLines({ lines, starts }: SearchedText, first: number, last: number): Region {
  const end = (starts[last] ?? 0) + (lines[last]?.length ?? 0)
  return { start: starts[first] ?? 0, end }
}

/** The index of the line in which a position lies. */
export function lineAt({ starts }: SearchedText, position: number): number {
  let [low, high] = [0, starts.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((starts[middle] ?? 0) <= position) low = middle + 1
    else high = middle
  }
  return low - 1
}
