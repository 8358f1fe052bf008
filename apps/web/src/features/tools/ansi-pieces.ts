/** Theme colours used for terminal colours. Every other terminal colour becomes the text colour. */
export type AnsiHue = "red" | "green" | "yellow" | "blue" | "magenta" | "grey"

export interface AnsiStyle {
  hue: AnsiHue | null
  /** Background colour, drawn as a tint. */
  back: AnsiHue | null
  bold: boolean
  dim: boolean
  italic: boolean
  underline: boolean
  /** Text and background colour are swapped: drawn as a tint of the text colour. */
  inverse: boolean
}

export interface AnsiPiece {
  text: string
  style: AnsiStyle
}

export const plainStyle: AnsiStyle = {
  hue: null,
  back: null,
  bold: false,
  dim: false,
  italic: false,
  underline: false,
  inverse: false,
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the escape character starts the ANSI codes
const colourCode = /\u001b\[([\d;:]*)m/g

/**
 * Splits text into pieces of one style, starting with `style`, and removes the codes. The code for hidden text is
 * ignored.
 */
export function ansiPieces(text: string, style: AnsiStyle = plainStyle): { pieces: AnsiPiece[]; style: AnsiStyle } {
  const pieces: AnsiPiece[] = []
  let current = style
  let from = 0
  const take = (end: number) => {
    if (end > from) pieces.push({ text: text.slice(from, end), style: current })
  }
  for (const code of text.matchAll(colourCode)) {
    take(code.index)
    current = styleAfter(current, code[1] ?? "")
    from = code.index + code[0].length
  }
  take(text.length)
  return { pieces, style: current }
}

/** The text without ANSI codes, for copying and searching. */
export function withoutColours(text: string): string {
  return text.replace(colourCode, "")
}

/** The last `characters` of a text (UTF-16 units, fewer to avoid starting inside a code). */
export function endOfAnsi(text: string, characters: number): string {
  if (text.length <= characters) return text
  const at = text.length - characters
  const opened = text.lastIndexOf("\u001b", at - 1)
  const closed = opened < 0 ? -1 : text.indexOf("m", opened)
  return text.slice(closed >= at ? closed + 1 : at)
}

export interface AnsiLine {
  /** Includes the ANSI codes. */
  text: string
  /** The style at the start of the line. */
  style: AnsiStyle
}

/** Splits text into lines that can each be drawn independently. */
export function ansiLines(text: string, style: AnsiStyle = plainStyle): { lines: AnsiLine[]; style: AnsiStyle } {
  let current = style
  const body = text.endsWith("\n") ? text.slice(0, -1) : text
  const lines = body.split("\n").map((line) => {
    const styled = { text: line, style: current }
    if (line.includes("\u001b")) current = ansiPieces(line, current).style
    return styled
  })
  return { lines, style: current }
}

/**
 * Splits long lines into pieces of at most `longest` characters (UTF-16 units). A piece that would end inside a code is
 * extended to the end of that code.
 */
export function shortLines(lines: readonly AnsiLine[], longest = 1_000): AnsiLine[] {
  return lines.flatMap((line) => (line.text.length <= longest ? [line] : cutLine(line, longest)))
}

function cutLine({ text, style }: AnsiLine, longest: number): AnsiLine[] {
  const cut: AnsiLine[] = []
  let current = style
  for (let at = 0; at < text.length; ) {
    const rest = text.slice(at + longest)
    const piece = text.slice(at, text.length - endOfAnsi(text.slice(at), rest.length).length)
    cut.push({ text: piece, style: current })
    if (piece.includes("\u001b")) current = ansiPieces(piece, current).style
    at += Math.max(1, piece.length)
  }
  return cut
}

/** The theme classes for a style, separated by spaces; empty for plain text. */
export function styleClasses({ hue, back, bold, dim, italic, underline, inverse }: AnsiStyle): string {
  const tint = inverse ? (hue ?? "grey") : back
  return [
    tint ? `on-${tint}` : (hue ?? (dim ? "grey" : "")),
    bold ? "bold" : "",
    italic ? "italic" : "",
    underline ? "underline" : "",
  ]
    .filter((word) => word !== "")
    .join(" ")
}

/** SGR (ECMA-48 8.3.117); extended colours are `38;5;n`, `38;2;r;g;b`, or the same with colons. */
function styleAfter(style: AnsiStyle, code: string): AnsiStyle {
  const numbers = code.split(/[;:]/).map(Number)
  // `38:2::r:g:b` contains a colour space, which may be empty.
  if (/^[34]8:2:\d*:\d+:\d+:\d+/.test(code)) numbers.splice(2, 1)
  let current = style
  for (let at = 0; at < numbers.length; at++) {
    const number = numbers[at] ?? 0
    if (number !== 38 && number !== 48) {
      current = afterNumber(current, number)
      continue
    }
    const isIndexed = numbers[at + 1] === 5
    const hue = isIndexed ? hueOfIndex(numbers[at + 2] ?? 0) : hueOfRgb(numbers.slice(at + 2, at + 5))
    current = number === 38 ? { ...current, hue } : { ...current, back: hue }
    at += isIndexed ? 2 : 4
  }
  return current
}

function afterNumber(style: AnsiStyle, number: number): AnsiStyle {
  if (number === 0) return plainStyle
  if (number === 1) return { ...style, bold: true }
  if (number === 2) return { ...style, dim: true }
  if (number === 3) return { ...style, italic: true }
  if (number === 4) return { ...style, underline: true }
  if (number === 7) return { ...style, inverse: true }
  if (number === 22) return { ...style, bold: false, dim: false }
  if (number === 23) return { ...style, italic: false }
  if (number === 24) return { ...style, underline: false }
  if (number === 27) return { ...style, inverse: false }
  if (number === 39) return { ...style, hue: null }
  if (number === 49) return { ...style, back: null }
  // Numbers from 30 (text) and 40 (background) are the named colours 0 to 7; those from 90 and 100 the bright 8 to 15.
  if (number >= 30 && number <= 37) return { ...style, hue: hueOfIndex(number - 30) }
  if (number >= 90 && number <= 97) return { ...style, hue: hueOfIndex(number - 82) }
  if (number >= 40 && number <= 47) return { ...style, back: hueOfIndex(number - 40) }
  if (number >= 100 && number <= 107) return { ...style, back: hueOfIndex(number - 92) }
  return style
}

/** Black and white become the text colour, because each is unreadable in one of the themes. */
const named: (AnsiHue | null)[] = [null, "red", "green", "yellow", "blue", "magenta", "blue", null]

/** Maps one of the 256 colours: 16 named ones, a cube of 6 × 6 × 6, and 24 greys. */
function hueOfIndex(index: number): AnsiHue | null {
  if (index === 8) return "grey"
  if (index < 16) return named[index % 8] ?? null
  if (index >= 232) return index < 248 ? "grey" : null
  const level = (step: number) => Math.floor((index - 16) / step) % 6
  return hueOfRgb([level(36) * 51, level(6) * 51, level(1) * 51])
}

/**
 * The theme colour with the nearest hue (degrees). A colour with little hue is grey, or the text colour when it is very
 * dark or very light.
 */
function hueOfRgb([red = 0, green = 0, blue = 0]: number[]): AnsiHue | null {
  const most = Math.max(red, green, blue)
  const spread = most - Math.min(red, green, blue)
  if (spread < 32) return most > 64 && most < 200 ? "grey" : null
  const sector =
    most === red ? (green - blue) / spread : most === green ? 2 + (blue - red) / spread : 4 + (red - green) / spread
  const degrees = (sector * 60 + 360) % 360
  if (degrees < 20 || degrees >= 335) return "red"
  if (degrees < 70) return "yellow"
  if (degrees < 165) return "green"
  if (degrees < 262) return "blue"
  return "magenta"
}
