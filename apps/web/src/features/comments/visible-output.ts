import { type VisibleText, visiblePlain, visibleWriter } from "./visible-text.ts"

// biome-ignore lint/suspicious/noControlCharactersInRegex: it begins the codes that are not drawn
const colourCode = /\u001b\[[\d;:]*m/g
/** What `read` writes before each line, and around all of them. */
const lineNumber = /^ *\d+[|\t→:] ?/gm

/** Ways in which a tool's output is drawn: without the codes of a terminal, and a file without the numbers of its lines. */
export function visibleOutputs(source: string): VisibleText[] {
  const plain = source.includes("\u001b") ? without(source, colourCode) : visiblePlain(source)
  const isNumbered = source.search(lineNumber) >= 0
  return isNumbered ? [plain, without(source, lineNumber)] : [plain]
}

/** Ways in which a tool's input is drawn: as it is, and its texts as what they say. */
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
    // What matched is a JSON string of one unit.
    writer.unit(String(JSON.parse(`"${found}"`)), index, index + found.length)
    at = index + found.length
  }
  writer.same(source.slice(at), at)
  return writer.done()
}
