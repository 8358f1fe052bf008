/** A text that is not a patch of this grammar. The message says what to do. */
export class PatchError extends Error {
  constructor(message: string) {
    super(`${message} Nothing was changed.`)
    this.name = "PatchError"
  }
}

/** Lines that are replaced in a file. */
export interface Chunk {
  /** Lines after `@@`, below which the chunk stands, from outer to inner. */
  anchors: string[]
  /** The lines as they are (context and removed ones) and as they become, with the kind of each. */
  lines: { kind: "context" | "removed" | "added"; text: string }[]
  /** The chunk ends with the file. */
  endOfFile: boolean
}

/** What a patch does to one file. Paths are as the model wrote them. */
export type PatchChange =
  | { kind: "add"; path: string; text: string }
  | { kind: "delete"; path: string }
  | { kind: "update"; path: string; moveTo: string | null; chunks: Chunk[] }

const begin = "*** Begin Patch"
const end = "*** End Patch"
const endOfFile = "*** End of File"
/** More files than this are not changed at once. */
export const MAX_FILES = 200

/**
 * Reads a patch between `*** Begin Patch` and `*** End Patch`, also when it comes as a heredoc.
 * @throws PatchError
 */
export function parsePatch(patchText: string): PatchChange[] {
  const lines = bodyOf(patchText)
  const changes: PatchChange[] = []
  let at = 0
  const take = (belongs: (line: string) => boolean): string[] => {
    const from = at
    while (at < lines.length && belongs(lines[at] ?? "")) at++
    return lines.slice(from, at)
  }
  while (at < lines.length) {
    const line = lines[at] ?? ""
    if (line.trim() === "") {
      at++
      continue
    }
    const header = readHeader(line)
    at++
    if (header.kind === "add")
      changes.push(
        added(
          header.path,
          take((next) => !isHeader(next)),
        ),
      )
    else if (header.kind === "delete") changes.push({ kind: "delete", path: header.path })
    else {
      const moveTo = readMove(lines[at])
      if (moveTo !== null) at++
      const chunks = readChunks(
        header.path,
        take((next) => !isHeader(next)),
      )
      if (chunks.length === 0 && moveTo === null) {
        throw new PatchError(
          `The section "*** Update File: ${header.path}" has no changes. Add chunks that begin with "@@".`,
        )
      }
      changes.push({ kind: "update", path: header.path, moveTo, chunks })
    }
    if (changes.length > MAX_FILES)
      throw new PatchError(`The patch changes more than ${MAX_FILES} files. Send several.`)
  }
  if (changes.length === 0) {
    throw new PatchError(
      'The patch is empty. Add a section such as "*** Update File: path" between its first and last line.',
    )
  }
  return changes
}

/** The lines between the markers. */
function bodyOf(patchText: string): string[] {
  const lines = patchText.replaceAll("\r\n", "\n").trim().split("\n")
  if (/^(?:\w+ )?<<-?\s*(['"]?)\w+\1$/.test(lines[0]?.trim() ?? "") && lines.length > 2) {
    lines.shift()
    lines.pop()
  }
  const first = lines.findIndex((line) => line.trim() === begin)
  const last = lines.findLastIndex((line) => line.trim() === end)
  if (first !== 0) throw new PatchError(`The first line must be "${begin}".`)
  if (last !== lines.length - 1) throw new PatchError(`The last line must be "${end}".`)
  return lines.slice(1, -1)
}

const headers = { "Add File": "add", "Delete File": "delete", "Update File": "update" } as const

function readHeader(line: string): { kind: "add" | "delete" | "update"; path: string } {
  const [, name = "", path = ""] = /^\*\*\* (Add File|Delete File|Update File):(.*)$/.exec(line.trim()) ?? []
  if (!isHeaderName(name)) {
    const shown = JSON.stringify(line.slice(0, 100))
    throw new PatchError(`${shown} begins no section. Use "*** Add File:", "*** Delete File:" or "*** Update File:".`)
  }
  if (path.trim() === "") throw new PatchError(`"${line.trim()}" names no file. Write the path after the colon.`)
  return { kind: headers[name], path: path.trim() }
}

function isHeaderName(name: string): name is keyof typeof headers {
  return Object.hasOwn(headers, name)
}

function isHeader(line: string): boolean {
  return line.startsWith("*** ") && line.trim() !== endOfFile
}

function readMove(line: string | undefined): string | null {
  const to = /^\*\*\* Move to:(.*)$/.exec(line?.trim() ?? "")?.[1]
  if (to === undefined) return null
  if (to.trim() === "") throw new PatchError('"*** Move to:" names no file. Write the new path after the colon.')
  return to.trim()
}

function added(path: string, lines: readonly string[]): PatchChange {
  const body = lines.at(-1)?.trim() === "" ? lines.slice(0, -1) : lines
  const wrong = body.find((line) => !line.startsWith("+"))
  if (wrong !== undefined) {
    throw new PatchError(
      `In "*** Add File: ${path}" each line must begin with "+", but one is ${JSON.stringify(wrong.slice(0, 100))}.`,
    )
  }
  return { kind: "add", path, text: body.map((line) => `${line.slice(1)}\n`).join("") }
}

const kinds = { " ": "context", "-": "removed", "+": "added" } as const

function readChunks(path: string, lines: readonly string[]): Chunk[] {
  const chunks: Chunk[] = []
  let chunk: Chunk | null = null
  // Blank lines before the next section belong to nothing.
  const last = lines.findLastIndex((line) => line !== "")
  for (const line of lines.slice(0, last + 1)) {
    if (line.trim() === endOfFile) {
      if (chunk === null) throw new PatchError(`In "*** Update File: ${path}" nothing stands before "${endOfFile}".`)
      chunk.endOfFile = true
      chunk = null
      continue
    }
    if (line === "@@" || line.startsWith("@@ ")) {
      const anchor = line.slice(3).trim()
      // Several anchors in a row lead to one place.
      if (chunk !== null && chunk.lines.length === 0) {
        if (anchor !== "") chunk.anchors.push(anchor)
        continue
      }
      chunk = { anchors: anchor === "" ? [] : [anchor], lines: [], endOfFile: false }
      chunks.push(chunk)
      continue
    }
    if (chunk === null) {
      chunk = { anchors: [], lines: [], endOfFile: false }
      chunks.push(chunk)
    }
    chunk.lines.push(readLine(path, line))
  }
  const empty = chunks.find((one) => one.lines.every(({ kind }) => kind === "context"))
  if (empty !== undefined) {
    throw new PatchError(
      `In "*** Update File: ${path}" a chunk changes nothing. Give it lines that begin with "-" or "+".`,
    )
  }
  return chunks
}

function readLine(path: string, line: string): Chunk["lines"][number] {
  // Models leave out the space before an empty context line.
  if (line === "") return { kind: "context", text: "" }
  const mark = line[0] ?? ""
  if (mark !== " " && mark !== "-" && mark !== "+") {
    throw new PatchError(
      `In "*** Update File: ${path}" the line ${JSON.stringify(line.slice(0, 100))} must begin with a space, "-" or "+".`,
    )
  }
  return { kind: kinds[mark], text: line.slice(1) }
}
