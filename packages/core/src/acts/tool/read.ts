import path from "node:path"
import { z } from "zod"
import { errorText } from "../../ground/error/error-text.ts"
import { MediaProblem, maxMediaBytes, maxPages, megabytes } from "../../ground/media/inspect-media.ts"
import { isPicture, knownType } from "../../ground/media/media-type.ts"
import { instructionBlock } from "../../ground/message/instruction-block.ts"
import type { ToolAttachment } from "../../ground/schema/part.ts"
import type { ReadMetadata } from "../../ground/schema/tool-metadata.ts"
import { askExternalDirectory } from "./ask-external.ts"
import { type LineSource, type LineWindow, lineSource, readLineWindow } from "./line-reader.ts"
import type { Files, OpenFile } from "./machine.ts"
import { maxNotebookBytes, readNotebook } from "./notebook.ts"
import { fileVersion } from "./text-file.ts"
import { defineTool, type Tool, type ToolContext, type ToolResult } from "./tool.ts"
import { resolveWorktreePath, type WorktreePath } from "./worktree-path.ts"

const MAX_LINES = 2_000
const MAX_LINE_LENGTH = 2_000
/** 50 KiB of text, line numbers not counted. */
const MAX_BYTES = 50 * 1024
const HEAD_BYTES = 8 * 1024

const description = `Reads a text file, a picture, a PDF or a notebook, or lists a directory.

- Gives up to ${MAX_LINES} lines (at most 50 KiB) from the start, or from offset; the answer says when there is more and how to go on. Lines over ${MAX_LINE_LENGTH} characters are cut.
- Each line comes as "number: text". The number is not part of the file.
- The path may be absolute or relative to the working directory. The user is asked for paths outside the project and for files that usually hold secrets (.env).
- Read several files in one answer when you need them; use grep first to find a place in a large file.
- PNG, JPEG, GIF and WebP pictures and PDFs come as files that you see, if you can see them (at most ${megabytes(maxMediaBytes)}, a PDF of at most ${maxPages} pages). An SVG is text.
- A Jupyter notebook (.ipynb) comes as its cells with their outputs; change it as the JSON text that it is.
- Other binary files are refused.`

const parameters = z.strictObject({
  filePath: z.string().min(1).describe("Path of the file or directory"),
  offset: z.int().min(1).optional().describe("First line, from 1"),
  limit: z.int().min(1).max(MAX_LINES).optional().describe(`Number of lines (default ${MAX_LINES})`),
})

/** Reads files and directories with line numbers, in bounded memory. */
export function createReadTool(): Tool<typeof parameters> {
  return defineTool({
    id: "read",
    description,
    parameters,
    permission: "read",
    parallel: true,
    limits: `${MAX_LINES} lines of ${MAX_LINE_LENGTH} characters, ${MAX_BYTES / 1024} KiB; pictures and PDFs of ${maxMediaBytes / 1024 ** 2} MiB, PDFs of ${maxPages} pages, notebooks of ${maxNotebookBytes / 1024 ** 2} MiB`,
    async execute(args, context) {
      const target = await resolveWorktreePath(context, args.filePath)
      const found = await context.files.look(target.real)
      const kind = found?.kind === "directory" ? "directory" : "file"
      await askExternalDirectory(context, target, {
        kind,
        reads: true,
        metadata: { kind: "path", path: target.real, act: "read" },
      })
      if (found === null) throw await missingError(target, context.files)
      await context.ask({
        permission: "read",
        patterns: [target.name],
        always: ["*"],
        metadata: { kind: "files", files: [target.name] },
      })
      const range = { start: args.offset ?? 1, maxLines: args.limit ?? MAX_LINES }
      if (kind === "directory") return readDirectory(target, range, context.files)
      return withInstructions(await readFile(target, range, context), context)
    },
  })
}

async function missingError(target: WorktreePath, files: Files): Promise<Error> {
  const directory = path.dirname(target.shown)
  const names = (await suggestFiles(files, target.real)).map((name) => path.join(directory, name))
  const hint = names.length > 0 ? `Did you mean ${names.join(", ")}?` : "Find it with glob."
  return new Error(`There is no file ${target.shown}. ${hint}`)
}

interface Range {
  start: number
  maxLines: number
}

type ReadContext = Pick<ToolContext, "files" | "signal" | "keepFile">

async function readFile(target: WorktreePath, range: Range, context: ReadContext): Promise<ToolResult<"read">> {
  await using handle = await context.files.open(target.real)
  const head = Buffer.alloc(HEAD_BYTES)
  const { bytesRead } = await handle.read(head, 0, HEAD_BYTES, 0)
  const kind = fileKind(target.name, head.subarray(0, bytesRead))
  switch (kind) {
    case "media":
      return await readMedia(target, handle, context)
    case "notebook":
      return await readNotebookFile(target, handle, { range, context })
    case "text":
      return await readFileLines(target, handle, { range, signal: context.signal })
    default: {
      const what = kind === "image" ? "an image of a kind that models do not take" : "a binary file"
      const advice = kind === "image" ? "Convert it to PNG" : "Use bash with a fitting program"
      throw new Error(`${target.name} is ${what}. ${advice} if you need what is in it.`)
    }
  }
}

/** @throws Error when the file is larger */
async function readWhole(handle: OpenFile, name: string, limit: number, advice: string): Promise<Buffer> {
  const { size } = await handle.stat({ bigint: true })
  if (size > limit)
    throw new Error(`${name} has ${megabytes(Number(size))}, and the most is ${megabytes(limit)}. ${advice}`)
  return handle.readFile()
}

/** Picture or PDF: the model gets the file itself. */
async function readMedia(target: WorktreePath, handle: OpenFile, context: ReadContext): Promise<ToolResult<"read">> {
  const bytes = await readWhole(handle, target.name, maxMediaBytes, "Make it smaller first.")
  const filename = path.basename(target.name)
  const file = await context.keepFile({ bytes, filename }).catch((error: unknown) => {
    throw error instanceof MediaProblem ? new Error(`${target.name} ${error.message}`, { cause: error }) : error
  })
  const { width, height, pages } = file
  const facts = [
    width !== undefined && height !== undefined && `${width} × ${height} pixels`,
    pages !== undefined && `${pages} ${pages === 1 ? "page" : "pages"}`,
    `${Math.ceil(bytes.length / 1024)} KB`,
  ]
  const what = file.mime === "application/pdf" ? "PDF" : "Picture"
  const shown = `${what} (${file.mime}, ${facts.filter(Boolean).join(", ")}). The file itself follows.`
  return { ...result(target, shown, { ...noLines, kind: "media" }), attachments: [file] }
}

const noLines = { startLine: 0, endLine: 0, totalLines: null, truncated: false }

async function readNotebookFile(
  target: WorktreePath,
  handle: OpenFile,
  { range, context }: { range: Range; context: ReadContext },
): Promise<ToolResult<"read">> {
  const version = await fileVersion(handle)
  const bytes = await readWhole(handle, target.name, maxNotebookBytes, "Clear its outputs, or read it with bash.")
  const { text, pictures } = notebookOf(bytes, target.name)
  const window = await readLineWindow(inMemory(text), { ...range, ...lineLimits }, context.signal)
  const read = linesResult(target, range, window)
  const attachments: ToolAttachment[] = []
  const broken: string[] = []
  for (const picture of pictures) {
    // A picture of lines that are not shown is not shown either.
    if (!window.lines.some((line) => line.includes(`[picture: ${picture.filename}]`))) continue
    await context.keepFile(picture).then(
      (file) => attachments.push(file),
      (error: unknown) => {
        if (!(error instanceof MediaProblem)) throw error
        broken.push(`(${picture.filename} ${error.message})`)
      },
    )
  }
  const output = [read.output, ...broken].join("\n")
  const metadata = { ...read.metadata, kind: "notebook" as const, version }
  return { ...read, output, metadata, ...(attachments.length > 0 && { attachments }) }
}

function notebookOf(bytes: Buffer, name: string) {
  try {
    return readNotebook(bytes)
  } catch (error) {
    throw new Error(`${name} ${errorText(error)}`, { cause: error })
  }
}

/** A text that is read like a file. */
function inMemory(text: string): LineSource {
  const bytes = Buffer.from(text)
  let at = 0
  return {
    size: bytes.length,
    async read(into, offset, length) {
      const bytesRead = bytes.copy(into, offset, at, at + length)
      at += bytesRead
      return { bytesRead }
    },
  }
}

async function readFileLines(
  target: WorktreePath,
  handle: OpenFile,
  { range, signal }: { range: Range; signal: AbortSignal },
): Promise<ToolResult<"read">> {
  // Take the version before the text, so that a write in between counts as a change.
  const version = await fileVersion(handle)
  const read = linesResult(
    target,
    range,
    await readLineWindow(await lineSource(handle), { ...range, ...lineLimits }, signal),
  )
  const output = handle.isUnsaved ? `${read.output}\n${unsavedNote}` : read.output
  return { ...read, output, metadata: { ...read.metadata, version } }
}

const unsavedNote =
  "(The user's editor has changes of this file that are not saved, and this is the text with them. On the disk is the text without them. To change the file, ask the user to save it.)"

const lineLimits = { maxLineLength: MAX_LINE_LENGTH, maxBytes: MAX_BYTES }

function linesResult(target: WorktreePath, range: Range, window: LineWindow): ToolResult<"read"> {
  const { lines, totalLines } = window
  if (totalLines !== null && totalLines > 0 && range.start > totalLines) {
    throw new Error(`${target.name} has ${totalLines} lines; offset ${range.start} is past its end.`)
  }
  const endLine = range.start + lines.length - 1
  const cut = window.cutLines ? ` Lines over ${MAX_LINE_LENGTH} characters were cut.` : ""
  const total = totalLines === null ? "" : ` of ${totalLines}`
  const footer = window.more
    ? `(Lines ${range.start} to ${endLine}${total}. Go on with offset ${endLine + 1}.${cut})`
    : totalLines === 0
      ? "(The file is empty.)"
      : `(End of file, ${totalLines ?? endLine} lines.${cut})`
  const body = lines.map((line, index) => `${range.start + index}: ${line}`)
  return result(target, [...body, footer].join("\n"), {
    kind: "file",
    startLine: range.start,
    endLine,
    totalLines,
    truncated: window.more || window.cutLines,
  })
}

/** The beginning of a text as `read` shows it, within the same limits. */
export function numberedText(text: string): string {
  const shown: string[] = []
  let bytes = 0
  const lines = text.split(/\r?\n/)
  if (lines.at(-1) === "") lines.pop()
  for (const line of lines.slice(0, MAX_LINES)) {
    const cut = line.slice(0, MAX_LINE_LENGTH)
    bytes += Buffer.byteLength(cut) + 1
    if (bytes > MAX_BYTES) break
    shown.push(`${shown.length + 1}: ${cut}`)
  }
  const rest = shown.length < lines.length ? ` Go on with offset ${shown.length + 1}.` : ""
  const footer =
    rest === "" ? `(End of file, ${lines.length} lines.)` : `(Lines 1 to ${shown.length} of ${lines.length}.${rest})`
  return [...shown, footer].join("\n")
}

/** Adds instructions of the directories that contain the file, if the model does not have them yet. */
function withInstructions(read: ToolResult<"read">, context: Pick<ToolContext, "newInstructions">): ToolResult<"read"> {
  const newInstructions = context.newInstructions(read.metadata.file)
  if (newInstructions.length === 0) return read
  const blocks = newInstructions.map((one) => `For what lies in ${one.directory}:\n${instructionBlock(one)}`)
  const instructions = newInstructions.map(({ name, version }) => ({ name, version }))
  return {
    ...read,
    output: [read.output, ...blocks].join("\n\n"),
    metadata: { ...read.metadata, instructions },
  }
}

async function readDirectory(target: WorktreePath, range: Range, files: Files): Promise<ToolResult<"read">> {
  const entries = await files.entries(target.real)
  const names = entries.map((entry) => (entry.isDirectory ? `${entry.name}/` : entry.name)).sort()
  const shown = names.slice(range.start - 1, range.start - 1 + range.maxLines)
  const endLine = range.start + shown.length - 1
  const more = endLine < names.length
  const footer = more
    ? `(Entries ${range.start} to ${endLine} of ${names.length}. Go on with offset ${endLine + 1}.)`
    : `(${names.length} entries)`
  return result(target, [...shown, footer].join("\n"), {
    kind: "directory",
    startLine: range.start,
    endLine,
    totalLines: names.length,
    truncated: more,
  })
}

function result(target: WorktreePath, output: string, facts: Omit<ReadMetadata, "file">): ToolResult<"read"> {
  const metadata: ReadMetadata = { ...facts, file: target.name }
  return { title: target.name, output, metadata }
}

const MAX_SUGGESTIONS = 3
/** Most entries of a directory that are compared. */
const MAX_ENTRIES = 5_000
/** Two names with more edits than this share of their length do not look like a typing error. */
const MAX_DISTANCE_SHARE = 0.4

/** Up to three existing entries with names similar to the missing path, most similar first. */
async function suggestFiles(files: Files, missing: string): Promise<string[]> {
  const directory = path.dirname(missing)
  const wanted = path.basename(missing).toLowerCase()
  const entries = await files.entries(directory).catch(() => [])
  return entries
    .slice(0, MAX_ENTRIES)
    .map(({ name: entry }) => ({ entry, score: nameDistance(wanted, entry.toLowerCase()) }))
    .filter((candidate) => candidate.score <= MAX_DISTANCE_SHARE)
    .sort((a, b) => a.score - b.score || a.entry.localeCompare(b.entry))
    .slice(0, MAX_SUGGESTIONS)
    .map((candidate) => candidate.entry)
}

/** From 0 for the same name to 1 for nothing in common. A name contained in the other counts as similar. */
function nameDistance(wanted: string, entry: string): number {
  const stem = path.parse(wanted).name
  if (entry === wanted) return 0
  if (stem.length >= 3 && (entry.includes(stem) || stem.includes(path.parse(entry).name))) return 0.2
  return editDistance(wanted, entry) / Math.max(wanted.length, entry.length)
}

/** Levenshtein distance. Quadratic time is acceptable, because file names have at most 255 bytes. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const substitution = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, substitution))
    }
    row = next
  }
  return row[b.length] ?? 0
}

/** What a file contains, judged by its beginning. */
type FileKind = "text" | "media" | "notebook" | "image" | "binary"

const otherImages = new Set(".bmp .ico .tif .tiff .avif .heic".split(" "))
/** A text has at most this share of control characters (the rule of thumb of file(1) and less(1)). */
const MAX_CONTROL_SHARE = 0.3

/** By the first bytes (8 KiB are enough): a name says nothing of what is in a file, except for a notebook. */
function fileKind(name: string, head: Uint8Array): FileKind {
  const type = knownType(head)
  if (type !== null && (isPicture(type) || type === "application/pdf")) return "media"
  const extension = path.extname(name).toLowerCase()
  let control = 0
  let isBinary = false
  for (const byte of head) {
    if (byte === 0) isBinary = true
    // Backspace to carriage return (8 to 13) and ESC (27) occur in text.
    if (byte < 8 || (byte > 13 && byte < 32 && byte !== 27)) control++
  }
  if (isBinary || (head.length > 0 && control / head.length > MAX_CONTROL_SHARE))
    return otherImages.has(extension) ? "image" : "binary"
  return extension === ".ipynb" ? "notebook" : "text"
}
