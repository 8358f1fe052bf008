import { findSequence } from "../replace/find-sequence.ts"
import type { LineKey } from "../replace/match-lines.ts"
import { originalPositions, putAll } from "../replace/put-texts.ts"
import { regionOfLines, type SearchedText, searchedText, toLf } from "../replace/searched-text.ts"
import { asAscii } from "../replace/spelled-otherwise.ts"
import { type Chunk, PatchError } from "./parse-patch.ts"

/** How lines are compared, the strictest first. */
const passes: readonly LineKey[] = [
  (line) => line,
  (line) => line.trimEnd(),
  (line) => line.trim(),
  (line) => asAscii(line).trim(),
]

/** Lines `first` to `last` (exclusive) of the file and what comes there. */
interface Place {
  first: number
  last: number
  lines: string[]
}

/**
 * Applies the chunks of one file in order. Context lines stay as the file has them, and so do line ends.
 * @throws PatchError with the lines that were not found
 */
export function applyChunks(text: string, chunks: readonly Chunk[], name: string): string {
  const file = searchedText(toLf(text))
  // A text that ends with a line break has no line after it.
  const count = file.lines.at(-1) === "" ? file.lines.length - 1 : file.lines.length
  const lines = file.lines.slice(0, count)
  const seek = createSeek(lines)
  const places: Place[] = []
  let from = 0
  for (const chunk of chunks) {
    from = findAnchors(seek, chunk, from, name)
    const place = placeOf({ lines, seek, name }, chunk, from)
    places.push(place)
    from = place.last
  }
  return putLines(text, file, count, places)
}

/** The line after the last anchor. */
function findAnchors(seek: Seek, { anchors }: Chunk, from: number, name: string): number {
  return anchors.reduce((at, anchor) => {
    const found = seek([anchor], at)
    if (found === null) {
      throw new PatchError(
        `${name} has no line ${JSON.stringify(anchor)} after line ${at}, which "@@" names. Read the file again.`,
      )
    }
    return found + 1
  }, from)
}

interface PatchedFile {
  lines: readonly string[]
  seek: Seek
  name: string
}

function placeOf({ lines, seek, name }: PatchedFile, chunk: Chunk, from: number): Place {
  const old = chunk.lines.filter(({ kind }) => kind !== "added").map(({ text }) => text)
  if (old.length === 0) {
    // Only insertions: after the anchor where there is one, else at the end of the file.
    const at = chunk.anchors.length > 0 && !chunk.endOfFile ? from : lines.length
    return { first: at, last: at, lines: chunk.lines.map(({ text }) => text) }
  }
  const find = (wanted: readonly string[]) => {
    const end = lines.length - wanted.length
    const atEnd = chunk.endOfFile && end >= from ? seek(wanted, end) : null
    return atEnd ?? seek(wanted, from)
  }
  const wholly = find(old)
  // Models add a blank line at the end that the file has not.
  const cut = wholly === null && old.at(-1) === "" ? withoutLastBlank(chunk) : null
  const used = cut ?? chunk
  const wanted = cut === null ? old : old.slice(0, -1)
  const at = cut === null ? wholly : find(wanted)
  if (at === null || wanted.length === 0) {
    const quoted = old.slice(0, 20).join("\n")
    throw new PatchError(
      `These lines were not found in ${name} after line ${from}:\n${quoted}\nRead the file again and copy them exactly.`,
    )
  }
  return { first: at, last: at + wanted.length, lines: newLines(used, lines.slice(at, at + wanted.length)) }
}

function withoutLastBlank(chunk: Chunk): Chunk {
  const last = chunk.lines.findLastIndex(({ kind }) => kind !== "added")
  return { ...chunk, lines: chunk.lines.filter((_, index) => index !== last) }
}

/** Finds lines of one file: the first place from a line on, by the strictest comparison that finds any; null for none. */
type Seek = (wanted: readonly string[], from: number) => number | null

/** The lines of the file are numbered once for each comparison, so that many chunks cost little. */
function createSeek(lines: readonly string[]): Seek {
  const numbered = passes.map((key) => {
    const ids = new Map<string, number>()
    const addLine = (line: string) => {
      const text = key(line)
      const id = ids.get(text) ?? ids.size
      ids.set(text, id)
      return id
    }
    let all: Int32Array | null = null
    return {
      all: () => (all ??= Int32Array.from(lines, addLine)),
      /** Undefined for a line that the file does not have. */
      idOf: (line: string) => ids.get(key(line)),
    }
  })
  return (wanted, from) => {
    if (wanted.length > lines.length - from) return null
    for (const { idOf, all } of numbered) {
      const file = all().subarray(from)
      const ids = wanted.map(idOf)
      // Nothing to search for: most lines that a model remembers otherwise are nowhere in the file.
      if (!ids.every((id) => id !== undefined)) continue
      for (const at of findSequence(file, ids)) return from + at
    }
    return null
  }
}

/** The lines after the change; context lines as the file has them. */
function newLines(chunk: Chunk, inFile: readonly string[]): string[] {
  const made: string[] = []
  let at = 0
  for (const { kind, text } of chunk.lines) {
    if (kind === "added") made.push(text)
    if (kind === "context") made.push(inFile[at] ?? text)
    if (kind !== "added") at++
  }
  return made
}

function putLines(text: string, file: SearchedText, count: number, places: readonly Place[]): string {
  const original = originalPositions(text)
  const isComplete = count < file.lines.length
  const puts = places.map(({ first, last, lines }) => {
    const isInsertion = first === last
    const atEnd = first >= count
    const region = isInsertion
      ? { start: atEnd ? file.text.length : (file.starts[first] ?? 0), end: 0 }
      : regionOfLines(file, first, last - 1)
    const body = lines.join("\n")
    if (!isInsertion) {
      // Lines that go take their line break with them.
      const takesBreak = lines.length === 0 && file.text[region.end] === "\n"
      return { start: region.start, end: region.end + (takesBreak ? 1 : 0), text: body }
    }
    const before = atEnd && !isComplete && count > 0 ? "\n" : ""
    const after = atEnd && !isComplete && count > 0 ? "" : "\n"
    return { start: region.start, end: region.start, text: `${before}${body}${after}` }
  })
  return putAll(
    text,
    puts.map((put) => ({ ...put, start: original(put.start), end: original(put.end) })),
  ).text
}
