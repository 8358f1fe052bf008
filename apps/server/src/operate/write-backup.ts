import { createHash } from "node:crypto"
import { createWriteStream } from "node:fs"
import { open as openFile, readFile } from "node:fs/promises"
import path from "node:path"
import { pipeline } from "node:stream/promises"
import { constants, createZstdCompress } from "node:zlib"
import { type Cell, loadCopies, type Table, type TableSource } from "@docket/db"
import { type Headers, type Pack, pack } from "tar-stream"
import {
  type BackupHead,
  type BackupManifest,
  chunkBytes,
  headName,
  largestEntry,
  manifestName,
  rowLines,
} from "./backup-format.ts"
import type { DataFile, DataFiles } from "./data-files.ts"
import type { Report } from "./operation.ts"
import { rowsLabel } from "./table-labels.ts"

/** Files up to this size (bytes) are read at once, so that they are consistent. */
const smallFileBytes = 16_777_216
/** Tables that are secrets themselves: sign-ins that anyone could continue with, and secrets of authenticator apps. */
const keyTables: Record<string, string> = {
  AuthSession: "sign-ins are keys too",
  AuthVerification: "sign-ins are keys too",
  AuthDeviceCode: "sign-ins are keys too",
  AuthTwoFactor: "the secrets of authenticator apps are keys too",
}
/**
 * Values that replace secrets in rows. A second factor is switched off, because nobody could pass it without its
 * secret.
 */
const keyColumns: Record<string, Record<string, Cell>> = {
  AuthAccount: {
    accessToken: null,
    refreshToken: null,
    idToken: null,
    accessTokenExpiresAt: null,
    refreshTokenExpiresAt: null,
  },
  AuthUser: { twoFactorEnabled: false },
}

export interface WriteBackup {
  target: string
  data: string
  head: BackupHead
  source: TableSource
  /** Called after the rows were read, so that the files that rows refer to exist. */
  findFiles(): Promise<DataFiles>
}

/** Writes rows, files and manifest as one compressed archive. Resolves when everything is on the disk. */
export async function writeBackup(job: WriteBackup, report: Report): Promise<BackupManifest> {
  const archive = pack()
  // Without a listener an error would end the process; `written` rejects with it.
  archive.on("error", () => {})
  const compress = createZstdCompress({
    params: { [constants.ZSTD_c_checksumFlag]: 1, [constants.ZSTD_c_compressionLevel]: 3 },
  })
  const written = pipeline(archive, compress, createWriteStream(job.target, { mode: 0o600, flags: "wx", flush: true }))
  // `written` is awaited below. Until then its failure must not end the process: it also makes an entry fail.
  written.catch(() => {})
  // Rejects when the archive ends meanwhile, as it does after a failure of the disk.
  const entry = (header: Headers, content?: Buffer) =>
    new Promise<void>((resolve, reject) => {
      const sink = archive.entry(header, content ?? "", (error) => (error ? reject(error) : resolve()))
      // Without a listener the error would end the process; the callback above gets it too.
      sink.on("error", reject)
    })
  try {
    const manifest = await writeEntries(job, { archive, entry }, report)
    await written
    return manifest
  } catch (error) {
    archive.destroy()
    // The disk error is more helpful than the error that the archive ended.
    throw await written.then(
      () => error,
      (why: NodeJS.ErrnoException) => (why.syscall === undefined ? error : why),
    )
  }
}

interface Archive {
  archive: Pack
  entry: WriteEntry
}

async function writeEntries(job: WriteBackup, { archive, entry }: Archive, report: Report): Promise<BackupManifest> {
  const head = Buffer.from(JSON.stringify(job.head))
  await entry({ name: headName, mode: 0o600 }, head)
  const tables = await writeTables(job, entry, report)
  const found = await job.findFiles()
  for (const name of found.directories) await entry({ name: `files/${name}`, type: "directory", mode: 0o700 })
  const files: BackupManifest["files"] = []
  const place = { data: job.data, entry, open: (header: Headers) => archive.entry(header) }
  const missing: Record<string, string> = {}
  for (const file of found.files) {
    const sum = await writeFileEntry(place, file)
    if (sum !== null) files.push(sum)
    else if (file.fetch !== undefined) missing[file.path] = "it is damaged in the store of contents"
  }
  report(`${files.length} files`)
  const leftOut = { ...found.leftOut, ...missing, ...(job.head.withKeys ? {} : leftOfTables(job.source.tables)) }
  const manifest = { head: sha256(head), tables, directories: found.directories, files, leftOut }
  await entry({ name: manifestName, mode: 0o600 }, Buffer.from(JSON.stringify(manifest)))
  archive.finalize()
  return manifest
}

type WriteEntry = (header: Headers, content?: Buffer) => Promise<void>

/** What a backup without keys leaves out of tables, and why. */
function leftOfTables(tables: readonly Table[]): Record<string, string> {
  const left: Record<string, string> = {}
  for (const { name } of tables) {
    const why = keyTables[name]
    if (why !== undefined) left[`rows of ${name}`] = why
    if (name === "AuthAccount") left[`tokens of ${name}`] = "they are keys of other services"
  }
  return left
}

/** The rows without their secrets. */
function withoutKeys({ name, columns }: Table, rows: Cell[][]): Cell[][] {
  const instead = keyColumns[name]
  if (instead === undefined) return rows
  return rows.map((row) =>
    row.map((cell, at) => {
      const given = instead[columns[at]?.name ?? ""]
      return given === undefined ? cell : given
    }),
  )
}

async function writeTables({ source, head }: WriteBackup, entry: WriteEntry, report: Report) {
  const { createTableDigest } = await loadCopies()
  const tables: BackupManifest["tables"] = {}
  for (const table of source.tables) {
    const digest = createTableDigest()
    let lines: Buffer[] = []
    let size = 0
    let chunk = 0
    const flush = async () => {
      if (size === 0) return
      if (size > largestEntry) throw new Error(`a row of ${table.name} is too long for a backup`)
      chunk += 1
      const name = `tables/${table.name}/${String(chunk).padStart(6, "0")}.jsonl`
      await entry({ name, mode: 0o600 }, Buffer.concat(lines))
      lines = []
      size = 0
    }
    if (head.withKeys || keyTables[table.name] === undefined) {
      for await (const found of source.rows(table)) {
        const rows = head.withKeys ? found : withoutKeys(table, found)
        digest.add(rows)
        const text = Buffer.from(rowLines(rows))
        if (size + text.length > chunkBytes) await flush()
        lines.push(text)
        size += text.length
      }
    }
    await flush()
    const sum = digest.sum()
    tables[table.name] = sum
    if (sum.rows > 0) report(rowsLabel(table.name, sum.rows))
  }
  return tables
}

interface FilePlace {
  data: string
  entry: WriteEntry
  open(header: Headers): NodeJS.WritableStream
}

/** Null for a file that no longer exists. */
async function writeFileEntry(place: FilePlace, file: DataFile) {
  if (file.fetch === undefined) return writeFileAt(place, file, path.join(place.data, file.path))
  const fetched = await file.fetch()
  if (fetched === null) return null
  return writeFileAt(place, file, fetched.file).finally(fetched.remove)
}

async function writeFileAt({ entry, open }: FilePlace, file: DataFile, at: string) {
  const { path: name, mode } = file
  const header = { name: `files/${name}`, mode }
  if (file.size <= smallFileBytes || file.content) {
    const content = file.content ?? (await readFile(at).catch(unlessGone))
    if (content === null) return null
    await entry(header, content)
    return { path: name, size: content.length, sha256: sha256(content) }
  }
  // A file that is open stays readable even if it is removed.
  const handle = await openFile(at).catch(unlessGone)
  if (handle === null) return null
  // Of a growing file, only its current length is copied; a shrinking file causes an error in the archive.
  const { size } = await handle.stat()
  const hash = createHash("sha256")
  await pipeline(
    handle.createReadStream({ start: 0, end: size - 1 }),
    async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        hash.update(chunk)
        yield chunk
      }
    },
    open({ ...header, size }),
  )
  return { path: name, size, sha256: hash.digest("hex") }
}

function unlessGone(error: NodeJS.ErrnoException): null {
  if (error.code === "ENOENT") return null
  throw error
}

const sha256 = (content: Buffer) => createHash("sha256").update(content).digest("hex")
