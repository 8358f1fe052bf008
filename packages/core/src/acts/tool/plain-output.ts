import { stripVTControlCharacters } from "node:util"

/**
 * Terminal output as plain text: no colour codes, no NUL, and of a line that was redrawn with carriage
 * returns (a progress bar) only the last state.
 */
export function plainOutput(text: string): string {
  const plain = stripVTControlCharacters(text).replaceAll("\0", "\uFFFD")
  if (!plain.includes("\r")) return plain
  return plain
    .split("\n")
    .map((line) => {
      const body = line.replace(/\r+$/, "")
      return body.slice(body.lastIndexOf("\r") + 1)
    })
    .join("\n")
}
