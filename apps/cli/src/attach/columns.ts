import { stripVTControlCharacters } from "node:util"

const graphemes = new Intl.Segmenter()
/** What a terminal draws over two columns: East Asian wide characters and emoji. */
const wide =
  /[\u1100-\u115F\u2E80-\u303E\u3041-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6]|\p{Emoji_Presentation}/u

interface Glyph {
  text: string
  /** How many columns of a terminal it takes. */
  width: number
}

function glyphsOf(line: string): Glyph[] {
  return [...graphemes.segment(stripVTControlCharacters(line))].map(({ segment }) => ({
    text: segment,
    width: wide.test(segment) ? 2 : 1,
  }))
}

const widthOf = (glyphs: readonly Glyph[]) => glyphs.reduce((sum, { width }) => sum + width, 0)
const textOf = (glyphs: readonly Glyph[]) => glyphs.map(({ text }) => text).join("")

/** How many of these glyphs fit into the columns. */
function fitting(glyphs: readonly Glyph[], columns: number): number {
  let used = 0
  const over = glyphs.findIndex(({ width }) => {
    used += width
    return used > columns
  })
  return over < 0 ? glyphs.length : over
}

/** Cuts a line to what fits into these columns of a terminal. */
export function fitLine(line: string, columns: number): string {
  const glyphs = glyphsOf(line)
  if (widthOf(glyphs) <= columns) return textOf(glyphs)
  return `${textOf(glyphs.slice(0, fitting(glyphs, columns - 1)))}…`
}

/**
 * Breaks a line between words, so that each piece fits into these columns. Pieces begin as the line does: with its bar,
 * or its blanks.
 */
export function wrapLine(line: string, columns: number): string[] {
  const [begin = ""] = /^\s*(?:[│>] )?/.exec(line) ?? []
  const room = Math.max(1, columns - widthOf(glyphsOf(begin)))
  const pieces: string[] = []
  let rest = glyphsOf(line).slice(glyphsOf(begin).length)
  while (widthOf(rest) > room) {
    const most = Math.max(1, fitting(rest, room))
    const blank = rest.findLastIndex(({ text }, at) => text === " " && at <= most && at > 0)
    const end = blank < 0 ? most : blank
    pieces.push(begin + textOf(rest.slice(0, end)))
    rest = rest.slice(blank < 0 ? end : end + 1)
  }
  return [...pieces, begin + textOf(rest)]
}
