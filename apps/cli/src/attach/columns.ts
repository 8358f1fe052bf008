import { stripVTControlCharacters } from "node:util"
import cliTruncate from "cli-truncate"
import wrapAnsi from "wrap-ansi"

/** Cuts a line to what fits into these columns of a terminal. */
export function fitLine(line: string, columns: number): string {
  return cliTruncate(stripVTControlCharacters(line), columns)
}

/**
 * Breaks a line between words, so that each piece fits into these columns. Pieces begin as the line does: with its bar,
 * or its blanks.
 */
export function wrapLine(line: string, columns: number): string[] {
  const plain = stripVTControlCharacters(line)
  const [begin = ""] = /^\s*(?:[│>] )?/.exec(plain) ?? []
  const room = Math.max(1, columns - begin.length)
  const pieces = wrapAnsi(plain.slice(begin.length), room, { hard: true, trim: true }).split("\n")
  return pieces.map((piece) => begin + piece)
}
