import { createHash } from "node:crypto"
import { createReadStream } from "node:fs"
import { open, stat } from "node:fs/promises"
import type { Readable } from "node:stream"
import { createZstdDecompress } from "node:zlib"
import { DocketError, isDocketError } from "@docket/core"
import { type Cell, loadCopies } from "@docket/db"
import { extract, type Headers } from "tar-stream"
import {
  BackupHead,
  BackupManifest,
  formatVersion,
  headName,
  largestEntry,
  manifestName,
  Row,
} from "./backup-format.ts"

/** Receives the content of a backup, entry by entry, before it is known whether the backup is complete. */
export interface BackupTaker {
  begin(head: BackupHead): Promise<void>
  rows(table: string, rows: Cell[][]): Promise<void>
  directory(path: string): Promise<void>
  /** Reads the content to its end. */
  file(path: string, mode: number, content: AsyncIterable<Buffer>): Promise<void>
}

/** Maximum ratio of the content's size to the file's size: real rows and texts reach 50 at most. */
const largestRatio = 1_000
/** Content up to this size is always accepted (bytes). */
const alwaysAccepted = 268_435_456
/** Size of a block in an archive (bytes); two empty blocks end it (POSIX.1-2001, ustar). */
const tarBlock = 512
const tarEnd = 2 * tarBlock

/**
 * Reads a backup to its end and compares it with its manifest.
 * @throws invalid_input when anything is missing, additional or different
 */
export async function readBackup(
  file: string,
  taker: BackupTaker,
): Promise<{ head: BackupHead; manifest: BackupManifest }> {
  const found = await stat(file).catch(() => null)
  if (!found?.isFile()) throw new DocketError("invalid_input", `${file} is no file.`)
  const archive = extract()
  const raw = createReadStream(file)
  const plain = raw.pipe(createZstdDecompress())
  for (const stream of [raw, plain]) stream.on("error", (error: Error) => archive.destroy(error))
  let bytes = 0
  let tail: Buffer = Buffer.alloc(0)
  plain.on("data", (chunk: Buffer) => {
    bytes += chunk.length
    tail = (chunk.length < tarEnd ? Buffer.concat([tail, chunk]) : chunk).subarray(-tarEnd)
    if (bytes > found.size * largestRatio + alwaysAccepted)
      archive.destroy(damaged("what is in it is far larger than a backup"))
  })
  plain.pipe(archive)
  try {
    const { head, manifest, end } = await takeEntries(archive, taker)
    if (bytes !== end + tarEnd || tail.some((byte) => byte !== 0)) throw damaged("something follows its end")
    if (!(await isEnd(file, plain.bytesWritten))) throw damaged("bytes were appended to it")
    return { head, manifest }
  } catch (error) {
    if (isDocketError(error) || (error as NodeJS.ErrnoException).syscall !== undefined) throw error
    throw damaged(error instanceof Error ? error.message : String(error), error)
  } finally {
    raw.destroy()
    plain.destroy()
    archive.destroy()
  }
}

/** The empty frame with checksum that Node's compressor writes after its content (RFC 8878, 3.1.1). */
const emptyFrame = Buffer.from("28b52ffd240001000099e9d851", "hex")

/** Whether a backup ends here. Bytes after the compressed content would not be read and have no checksum. */
async function isEnd(file: string, at: number): Promise<boolean> {
  const handle = await open(file)
  try {
    const rest = Buffer.alloc(emptyFrame.length + 1)
    const { bytesRead } = await handle.read(rest, { position: at })
    return bytesRead === 0 || rest.subarray(0, bytesRead).equals(emptyFrame)
  } finally {
    await handle.close()
  }
}

/** An entry of the archive; `offset`: where its header begins (bytes). */
type Entry = Readable & { header: Headers; offset: number }

async function takeEntries(entries: AsyncIterable<Readable>, taker: BackupTaker) {
  const state = await createState(taker)
  for await (const entry of entries as AsyncIterable<Entry>) await state.take(entry)
  return state.end()
}

async function createState(taker: BackupTaker) {
  const { createTableDigest } = await loadCopies()
  let head: BackupHead | null = null
  let headSum = ""
  let manifest: BackupManifest | null = null
  /** Where the manifest's entry ends in the archive (bytes). */
  let end = 0
  const digests = new Map<string, ReturnType<typeof createTableDigest>>()
  const files = new Map<string, { size: number; sha256: string }>()
  const directories = new Set<string>()
  let lastChunk = ""
  const begin = async (entry: Entry) => {
    const content = await readAll(entry)
    head = parse(BackupHead, content)
    if (head.format > formatVersion)
      throw new DocketError(
        "invalid_input",
        `the backup was written by a newer Docket (${head.docket}). Update this one.`,
      )
    headSum = createHash("sha256").update(content).digest("hex")
    for (const table of Object.keys(head.tables)) digests.set(table, createTableDigest())
    await taker.begin(head)
  }
  const takeRows = async (name: string, entry: Entry, { tables }: BackupHead) => {
    const [, table = "", number = ""] = /^tables\/([A-Za-z]\w*)\/(\d{6})\.jsonl$/.exec(name) ?? []
    const digest = digests.get(table)
    const columns = tables[table]?.length
    if (digest === undefined || columns === undefined || name <= lastChunk)
      throw damaged(`an entry has no place in it: ${name}`)
    // Names must ascend: no chunk comes twice, and tables follow each other.
    lastChunk = `tables/${table}/${number}.jsonl`
    const lines = (await readAll(entry)).toString("utf8").trimEnd().split("\n")
    const rows = lines.map((line) => Row.parse(JSON.parse(line)))
    if (rows.some((row) => row.length !== columns)) throw damaged(`rows of ${table} have other columns`)
    digest.add(rows)
    await taker.rows(table, rows)
  }
  const takeFile = async (name: string, entry: Entry) => {
    const path = safePath(name)
    if (files.has(path) || directories.has(path)) throw damaged(`an entry is in it twice: ${path}`)
    if (entry.header.type === "directory") {
      directories.add(path)
      await taker.directory(path)
      return entry.resume()
    }
    const hash = createHash("sha256")
    let size = 0
    const content = async function* () {
      for await (const chunk of entry as AsyncIterable<Buffer>) {
        hash.update(chunk)
        size += chunk.length
        yield chunk
      }
    }
    await taker.file(path, (entry.header.mode ?? 0o600) & 0o777, content())
    files.set(path, { size, sha256: hash.digest("hex") })
  }
  return {
    async take(entry: Entry) {
      const { name, type } = entry.header
      if (manifest !== null) throw damaged(`something follows its end: ${name}`)
      const isFile = type === "file" || type === "contiguous-file"
      if (!isFile && !(type === "directory" && name.startsWith("files/")))
        throw damaged(`it holds something that is neither a file nor a directory: ${name}`)
      if (head === null && name !== headName) throw damaged("it does not begin like a backup")
      if (head === null) await begin(entry)
      else if (name === manifestName) {
        const content = await readAll(entry)
        manifest = parse(BackupManifest, content)
        end = entry.offset + tarBlock + Math.ceil(content.length / tarBlock) * tarBlock
      } else if (name.startsWith("files/")) await takeFile(name.slice("files/".length), entry)
      else await takeRows(name, entry, head)
    },
    end() {
      if (head === null || manifest === null) throw damaged("its end is missing")
      const sums = Object.fromEntries([...digests].map(([table, digest]) => [table, digest.sum()]))
      compare(manifest, { head: headSum, tables: sums, files, directories })
      return { head, manifest, end }
    },
  }
}

interface Found {
  head: string
  tables: BackupManifest["tables"]
  files: Map<string, { size: number; sha256: string }>
  directories: Set<string>
}

function compare(manifest: BackupManifest, found: Found): void {
  if (manifest.head !== found.head) throw damaged("its beginning differs")
  const names = new Set([...Object.keys(manifest.tables), ...Object.keys(found.tables)])
  for (const name of names) {
    const [expected, read] = [manifest.tables[name], found.tables[name]]
    if (expected?.rows !== read?.rows || expected?.sha256 !== read?.sha256)
      throw damaged(`rows of ${name} are missing or differ`)
  }
  const listed = new Set<string>()
  for (const { path, size, sha256 } of manifest.files) {
    const read = found.files.get(path)
    if (read === undefined) throw damaged(`a file is missing: ${path}`)
    if (read.size !== size || read.sha256 !== sha256) throw damaged(`a file differs: ${path}`)
    listed.add(path)
  }
  for (const path of found.files.keys())
    if (!listed.has(path)) throw damaged(`its manifest does not list a file: ${path}`)
  const listedDirectories = new Set(manifest.directories)
  const isSame =
    listedDirectories.size === found.directories.size &&
    [...listedDirectories].every((path) => found.directories.has(path))
  if (!isSame) throw damaged("its directories differ")
}

/** Files of the running service, and files that a restore keeps. A backup contains none of them. */
const reserved = /^(?:docket\.db|lock\.|database\.json|before-|\.restoring)/

/** Checks that a path is inside the data directory and is not one of the service's own files. */
function safePath(name: string): string {
  const path = name.replace(/\/$/, "")
  const parts = path.split("/")
  const isPlain = parts.every((part) => part !== "" && part !== "." && part !== ".." && !/[\\\0]/.test(part))
  if (!isPlain || reserved.test(path)) throw damaged(`a path leads elsewhere: ${JSON.stringify(name)}`)
  return path
}

async function readAll(entry: Entry): Promise<Buffer> {
  if ((entry.header.size ?? 0) > largestEntry) throw damaged(`an entry is too large: ${entry.header.name}`)
  const chunks: Buffer[] = []
  for await (const chunk of entry as AsyncIterable<Buffer>) chunks.push(chunk)
  return Buffer.concat(chunks)
}

function parse<T>(
  schema: { safeParse(value: unknown): { success: true; data: T } | { success: false } },
  content: Buffer,
): T {
  const parsed = schema.safeParse(JSON.parse(content.toString("utf8")))
  if (parsed.success) return parsed.data
  throw damaged("its description of itself is invalid")
}

function damaged(why: string, cause?: unknown): DocketError {
  return new DocketError("invalid_input", `this is no whole backup, and nothing was changed: ${why}`, { cause })
}
