import { stripVTControlCharacters } from "node:util"

/** One sequence that sets colours and weights (SGR, ECMA-48 8.3.117). Longer ones are not believed. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const colour = /^\u001b\[[\d;:]{0,60}m$/

/**
 * Every control sequence of a terminal (ECMA-48): those that begin with CSI; strings, as titles and links are, up to
 * their end, which has to come in the same line; and the short ones. At the end of the text, also the beginning of one.
 */
const sequence =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  /(?:\u001b\[|\u009b)[0-?]*[ -/]*(?:[@-~]|$)|(?:\u001b[\]PX^_]|[\u0090\u0098\u009d-\u009f])[^\n\u0007\u001b\u009c]*(?:\u0007|\u001b\\|\u009c|\u001b?$)|\u001b[ -/]*[0-~]?/g

/** What remains of control characters but tab and line feed: the bell, the backspace, C1 and the like. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const controls = /(?!\u001b\[[\d;:]{0,60}m)[\u0001-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const colours = /\u001b\[[\d;:]*m/g
/** Of the colours in what a progress line replaced, those that may still count. */
const keptColours = 8

/**
 * Terminal output for people: colours and weights stay, everything else that a terminal would obey is taken out. Of a
 * line that was redrawn with carriage returns (a progress bar) only the last state stays, in the colours set before.
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
  // Behind the last one there may be colours alone.
  const last = states.findLastIndex((state) => state.replace(colours, "") !== "")
  const before = states.slice(0, Math.max(0, last)).join("").match(colours) ?? []
  return before.slice(-keptColours).join("") + states.slice(Math.max(0, last)).join("")
}

/** The end of coloured output, at most so many characters (UTF-16 units): never the rest of a sequence that was cut. */
export function endOfColoured(text: string, characters: number): string {
  if (text.length <= characters) return text
  const at = text.length - characters
  const opened = text.lastIndexOf("\u001b", at - 1)
  const closed = opened < 0 ? -1 : text.indexOf("m", opened)
  return text.slice(closed >= at ? closed + 1 : at)
}

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
