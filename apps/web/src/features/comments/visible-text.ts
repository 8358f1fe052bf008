/** A text as it is drawn, and for each of its units (UTF-16) where that stands in the source. */
export interface VisibleText {
  text: string
  /** Where the unit begins in the source; -1 for what the source does not say. */
  from: number[]
  /** Behind where it ends there. */
  to: number[]
}

/** A piece of what is drawn: its words, and where each of their units begins and ends in the source. */
export interface VisibleWriter {
  /** The source as it is, from an offset on. */
  same(text: string, at: number): void
  /** One unit that the source writes in another way. */
  unit(text: string, from: number, to: number): void
  /** Words that are not in the source. */
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

/** A text that is drawn as it is. */
export function visiblePlain(source: string): VisibleText {
  const writer = visibleWriter()
  writer.same(source, 0)
  return writer.done()
}

/** A text without its white space, which no two ways to draw it share, and where each unit stands in it. */
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
