import { stripVTControlCharacters } from "node:util"

/** Maximum length of a line, because the report is read in a terminal. */
const longest = 240

/**
 * The first line of a failed test's message, without colours.
 * @param {string | undefined} message
 */
export function firstLine(message = "") {
  const line = stripVTControlCharacters(message).trim().split("\n")[0].trim()
  return line.length > longest ? `${line.slice(0, longest)}…` : line
}

/**
 * The lines of a program's output that report errors, or its last lines when there are none.
 * @param {string} output
 */
export function errorLines(output) {
  const lines = stripVTControlCharacters(output)
    .split("\n")
    .filter((line) => line.trim() !== "")
  // The title of a passed test may contain "error" too.
  const telling = lines.filter((line) => /error\b|✗|×/i.test(line) && !/^\s*✓/.test(line))
  return (telling.length > 0 ? telling.slice(0, 3) : lines.slice(-3)).map(firstLine)
}
