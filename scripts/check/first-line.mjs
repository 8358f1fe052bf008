import { stripVTControlCharacters } from "node:util"

/** Characters of a line at most: closing lines are read in a terminal. */
const longest = 240

/**
 * What a failed test says first, without colours.
 * @param {string | undefined} message
 */
export function firstLine(message = "") {
  const line = stripVTControlCharacters(message).trim().split("\n")[0].trim()
  return line.length > longest ? `${line.slice(0, longest)}…` : line
}

/**
 * The lines of a program's output that tell of errors, or its last ones when none does.
 * @param {string} output
 */
export function errorLines(output) {
  const lines = stripVTControlCharacters(output)
    .split("\n")
    .filter((line) => line.trim() !== "")
  // The title of a test that passed may speak of errors too.
  const telling = lines.filter((line) => /error\b|✗|×/i.test(line) && !/^\s*✓/.test(line))
  return (telling.length > 0 ? telling.slice(0, 3) : lines.slice(-3)).map(firstLine)
}
