import { nearestLines } from "./nearest-lines.ts"

export interface Replacement {
  oldString: string
  newString: string
  replaceAll: boolean
}

/** `text` with the replacement done and how often. */
export interface ReplacedText {
  text: string
  count: number
}

/**
 * Replaces an exact piece of text. Line ends of the piece follow the file: in a file with CRLF the piece is
 * searched and written with CRLF, so that an edit never mixes line ends into it.
 * @throws Error when the piece is empty, unchanged, absent (with the nearest lines as a hint) or, without
 *   `replaceAll`, not unique
 */
export function replaceText(text: string, replacement: Replacement): ReplacedText {
  const { oldString, newString, replaceAll } = replacement
  if (oldString === "") {
    throw new Error(
      "oldString is empty but the file exists. Give the text to replace, or use write for the whole file.",
    )
  }
  if (oldString === newString) throw new Error("oldString and newString are the same, so there is nothing to change.")
  for (const [from, to] of candidates(text, oldString, newString)) {
    const count = occurrences(text, from)
    if (count === 0) continue
    if (count > 1 && !replaceAll) {
      throw new Error(
        `oldString occurs ${count} times. Add lines around it until it is unique, or set replaceAll to change all of them.`,
      )
    }
    return { text: text.split(from).join(to), count }
  }
  throw new Error(notFound(text, oldString))
}

/** Old and new text in the line ends to try, the file's own first. */
function candidates(text: string, oldString: string, newString: string): [string, string][] {
  const crlf: [string, string] = [toCrlf(oldString), toCrlf(newString)]
  const lf: [string, string] = [toLf(oldString), toLf(newString)]
  const hasCrlf = text.includes("\r\n")
  if (!hasCrlf) return [[oldString, newString], lf]
  const uniform = !/(?<!\r)\n/.test(text)
  return uniform ? [crlf] : [[oldString, newString], crlf, lf]
}

function toLf(text: string): string {
  return text.replaceAll("\r\n", "\n")
}

function toCrlf(text: string): string {
  return toLf(text).replaceAll("\n", "\r\n")
}

function occurrences(text: string, piece: string): number {
  let count = 0
  for (let at = text.indexOf(piece); at >= 0; at = text.indexOf(piece, at + piece.length)) count++
  return count
}

function notFound(text: string, oldString: string): string {
  const advice = "oldString was not found in the file. It must match exactly, with all spaces and line breaks."
  if (/^\s*\d+: /.test(oldString)) {
    return `${advice} It starts with a line number of the read output; leave those out.`
  }
  const hint = nearestLines(text, oldString)
  if (hint === null) return `${advice} Read the file again first.`
  return `${advice} The nearest lines are (line numbers are not part of the text):\n${hint}`
}
