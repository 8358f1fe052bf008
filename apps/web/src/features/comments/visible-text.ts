/** A text as it is drawn, and the source position of each of its UTF-16 units. */
export interface VisibleText {
  text: string
  /** Start of the unit in the source; -1 if it is not in the source. */
  from: number[]
  /** End of the unit in the source (exclusive). */
  to: number[]
}

/** Builds a `VisibleText` piece by piece. */
export interface VisibleWriter {
  /** Text that is unchanged in the source, starting at an offset. */
  same(text: string, at: number): void
  /** One unit that the source writes differently. */
  unit(text: string, from: number, to: number): void
  /** Text that is not in the source. */
  added(text: string): void
  done(): VisibleText
}

export function visibleWriter(): VisibleWriter {
  const texts: string[] = []
  const from: number[] = []
  const to: number[] = []
  const put = (text: string, placeOf: (index: number) => [number, number]) => {
    texts.push(text)
    for (let index = 0; index < text.length; index++) {
      const [begin, end] = placeOf(index)
      from.push(begin)
      to.push(end)
    }
  }
  return {
    same: (text, at) => put(text, (index) => [at + index, at + index + 1]),
    unit: (text, begin, end) => put(text, () => [begin, end]),
    added: (text) => put(text, () => [-1, -1]),
    done: () => ({ text: texts.join(""), from, to }),
  }
}

/** A text that is drawn unchanged. */
export function visiblePlain(source: string): VisibleText {
  const writer = visibleWriter()
  writer.same(source, 0)
  return writer.done()
}

/** A text without white space, which differs between the ways to draw it, and the original index of each unit. */
export interface Squeezed {
  text: string
  at: number[]
}

export function squeeze(text: string): Squeezed {
  const at: number[] = []
  const units: string[] = []
  for (const run of text.matchAll(/\S+/g)) {
    units.push(run[0])
    for (let index = 0; index < run[0].length; index++) at.push(run.index + index)
  }
  return { text: units.join(""), at }
}
