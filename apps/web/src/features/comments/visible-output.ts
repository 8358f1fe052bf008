import { type VisibleText, visiblePlain, visibleWriter } from "./visible-text.ts"

// biome-ignore lint/suspicious/noControlCharactersInRegex: the escape character starts the ANSI codes
const colourCode = /\u001b\[[\d;:]*m/g
/** Line numbers that `read` writes, and the tags around the lines. */
const lineNumber = /^ *\d+[|\t→:] ?/gm

/** The ways in which a tool's output is drawn: without ANSI codes; a file also without line numbers. */
export function visibleOutputs(source: string): VisibleText[] {
  const plain = source.includes("\u001b") ? without(source, colourCode) : visiblePlain(source)
  const isNumbered = source.search(lineNumber) >= 0
  return isNumbered ? [plain, without(source, lineNumber)] : [plain]
}

/** The ways in which a tool's input is drawn: unchanged, and with its strings unescaped. */
export function visibleInputs(source: string): VisibleText[] {
  return source.includes("\\") ? [visiblePlain(source), unescaped(source)] : [visiblePlain(source)]
}

function without(source: string, pattern: RegExp): VisibleText {
  const writer = visibleWriter()
  let at = 0
  for (const { 0: found, index } of source.matchAll(pattern)) {
    writer.same(source.slice(at, index), at)
    at = index + found.length
  }
  writer.same(source.slice(at), at)
  return writer.done()
}

const escapeSequence = /\\(?:u[0-9a-fA-F]{4}|["\\/bfnrt])/g

/** JSON with the escapes of its strings resolved (RFC 8259, section 7). */
function unescaped(source: string): VisibleText {
  const writer = visibleWriter()
  let at = 0
  for (const { 0: found, index } of source.matchAll(escapeSequence)) {
    writer.same(source.slice(at, index), at)
    // The match is a JSON string of one unit.
    writer.unit(String(JSON.parse(`"${found}"`)), index, index + found.length)
    at = index + found.length
  }
  writer.same(source.slice(at), at)
  return writer.done()
}
