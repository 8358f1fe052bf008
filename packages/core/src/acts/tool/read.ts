import path from "node:path"
import { z } from "zod"
import { instructionBlock } from "../../ground/message/instruction-block.ts"
import type { ReadMetadata } from "../../ground/schema/tool-metadata.ts"
import { askExternalDirectory } from "./ask-external.ts"
import { readLineWindow } from "./line-reader.ts"
import type { Files, OpenFile } from "./machine.ts"
import { fileVersion } from "./text-file.ts"
import { defineTool, type Tool, type ToolContext, type ToolResult } from "./tool.ts"
import { resolveWorktreePath, type WorktreePath } from "./worktree-path.ts"

const MAX_LINES = 2_000
const MAX_LINE_LENGTH = 2_000
/** 50 KiB of text, line numbers not counted. */
const MAX_BYTES = 50 * 1024
const HEAD_BYTES = 8 * 1024

const description = `Reads a text file, or lists a directory.

- Gives up to ${MAX_LINES} lines (at most 50 KiB) from the start, or from offset; the answer says when there is more and how to go on. Lines over ${MAX_LINE_LENGTH} characters are cut.
- Each line comes as "number: text". The number is not part of the file.
- The path may be absolute or relative to the working directory. The user is asked for paths outside the project and for files that usually hold secrets (.env).
- Read several files in one answer when you need them; use grep first to find a place in a large file.
- Images, PDFs and other binary files are refused.`

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
    limits: `${MAX_LINES} lines of ${MAX_LINE_LENGTH} characters, ${MAX_BYTES / 1024} KiB`,
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
      return withInstructions(await readFileLines(target, range, context), context)
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

async function readFileLines(
  target: WorktreePath,
  range: Range,
  { files, signal }: Pick<ToolContext, "files" | "signal">,
): Promise<ToolResult<"read">> {
  await using handle = await files.open(target.real)
  await refuseBinary(handle, target.name)
  // Take the version before the text, so that a write in between counts as a change.
  const version = await fileVersion(handle)
  const limits = { ...range, maxLineLength: MAX_LINE_LENGTH, maxBytes: MAX_BYTES }
  const window = await readLineWindow(handle, limits, signal)
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
    version,
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

async function refuseBinary(handle: OpenFile, name: string): Promise<void> {
  const head = Buffer.alloc(HEAD_BYTES)
  const { bytesRead } = await handle.read(head, 0, HEAD_BYTES, 0)
  const kind = fileKind(name, head.subarray(0, bytesRead))
  if (kind === "text") return
  const what = { image: "an image", pdf: "a PDF", binary: "a binary file" }[kind]
  throw new Error(
    `${name} is ${what}; read shows text only. Use bash with a fitting program if you need facts about it.`,
  )
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
type FileKind = "text" | "image" | "pdf" | "binary"

const imageExtensions = new Set(".png .jpg .jpeg .gif .webp .bmp .ico .tif .tiff .avif .heic".split(" "))
/** A text has at most this share of control characters (the rule of thumb of file(1) and less(1)). */
const MAX_CONTROL_SHARE = 0.3

/** Decides by the extension for media files, else by the first bytes (8 KiB are enough). */
function fileKind(name: string, head: Uint8Array): FileKind {
  const extension = path.extname(name).toLowerCase()
  if (imageExtensions.has(extension)) return "image"
  if (extension === ".pdf" || startsWith(head, "%PDF-")) return "pdf"
  if (startsWith(head, "\x89PNG") || startsWith(head, "\xff\xd8\xff") || startsWith(head, "GIF8")) return "image"
  let control = 0
  for (const byte of head) {
    if (byte === 0) return "binary"
    // Backspace to carriage return (8 to 13) and ESC (27) occur in text.
    if (byte < 8 || (byte > 13 && byte < 32 && byte !== 27)) control++
  }
  return head.length > 0 && control / head.length > MAX_CONTROL_SHARE ? "binary" : "text"
}

function startsWith(head: Uint8Array, latin1: string): boolean {
  return [...latin1].every((character, index) => head[index] === character.charCodeAt(0))
}
