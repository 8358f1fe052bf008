import { stripVTControlCharacters } from "node:util"

/** One sequence that sets colours or weights (SGR, ECMA-48 8.3.117). Longer ones are removed. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const colour = /^\u001b\[[\d;:]{0,60}m$/

/**
 * Every control sequence of a terminal (ECMA-48): CSI sequences; strings such as titles and links, which must end in
 * the same line; and the short ones. At the end of the text, an unfinished sequence matches too.
 */
const sequence =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  /(?:\u001b\[|\u009b)[0-?]*[ -/]*(?:[@-~]|$)|(?:\u001b[\]PX^_]|[\u0090\u0098\u009d-\u009f])[^\n\u0007\u001b\u009c]*(?:\u0007|\u001b\\|\u009c|\u001b?$)|\u001b[ -/]*[0-~]?/g

/** The other control characters except tab and line feed, such as bell, backspace and C1. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const controls = /(?!\u001b\[[\d;:]{0,60}m)[\u0001-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const colours = /\u001b\[[\d;:]*m/g
/** How many colour sequences of the replaced part of a progress line are kept, because they may still apply. */
const keptColours = 8

/**
 * Terminal output for people: colours and weights stay, all other control sequences are removed. A line redrawn with
 * carriage returns (a progress bar) is reduced to its last state, in the colours set before.
 */
export function colouredOutput(text: string): string {
  const kept = text
    .replace(sequence, (found) => (colour.test(found) ? found : ""))
    .replaceAll("\0", "\uFFFD")
    .replace(/\r+(?=\n|$)/g, "")
  const folded = kept.includes("\r") ? kept.split("\n").map(lastState).join("\n") : kept
  return folded.replace(controls, "")
}

function lastState(line: string): string {
  if (!line.includes("\r")) return line
  const states = line.split("\r")
  // What follows the last carriage return may be colours only, so take the last state that has text.
  const last = states.findLastIndex((state) => state.replace(colours, "") !== "")
  const before = states.slice(0, Math.max(0, last)).join("").match(colours) ?? []
  return before.slice(-keptColours).join("") + states.slice(Math.max(0, last)).join("")
}

/** The last characters (UTF-16 units) of coloured output; it never starts within a control sequence. */
export function endOfColoured(text: string, characters: number): string {
  if (text.length <= characters) return text
  const at = text.length - characters
  const opened = text.lastIndexOf("\u001b", at - 1)
  const closed = opened < 0 ? -1 : text.indexOf("m", opened)
  return text.slice(closed >= at ? closed + 1 : at)
}

/**
 * Terminal output as plain text: no colours, no NUL, and a line redrawn with carriage returns is reduced to its last
 * state.
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
