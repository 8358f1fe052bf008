import { existsSync, statfsSync, statSync } from "node:fs"
import { open, readdir, rename, rm, stat } from "node:fs/promises"
import path from "node:path"
import { DocketError } from "@docket/core"
import type { Blobs } from "@docket/core/blobs"
import { loadCopies, type TableSource } from "@docket/db"
import packageJson from "../../package.json" with { type: "json" }
import { formatVersion } from "./backup-format.ts"
import { findDataFiles } from "./data-files.ts"
import type { Outcome, Report } from "./operation.ts"
import { requireDocket } from "./require-docket.ts"
import { contentsOfOthers } from "./stored-contents.ts"
import { leftOutLabel, sealedNote } from "./table-labels.ts"
import { writeBackup } from "./write-backup.ts"

export interface BackUp {
  file: string
  data: string
  /** Address of the PostgreSQL database; null for the file in the data directory. */
  database: string | null
  withKeys: boolean
  /** Where nodes keep contents for each other; null where each host keeps its own. */
  blobs?: Blobs | null
}

/** A backup never has less than this share of the stored size. */
const smallestShare = 1 / 4

/**
 * Writes all data of a service to one file; the service may run meanwhile. The file exists only as a complete backup.
 * @throws invalid_input, store_unavailable
 */
export async function backUp(
  { file, data, database, withKeys, blobs = null }: BackUp,
  report: Report,
): Promise<Outcome> {
  requireDocket(data, database)
  if (existsSync(file)) throw new DocketError("invalid_input", `${file} is there already. Name another file.`)
  await requireDirectory(path.dirname(file))
  await removeLeftovers(file)
  const partial = `${file}.partial-${process.pid}`
  const source = await readTables(data, database)
  try {
    await requireRoom({ file, data, database, withKeys })
    const head = {
      docket: packageJson.version,
      format: formatVersion,
      created: Date.now(),
      data,
      database: database === null ? ("sqlite" as const) : ("postgres" as const),
      migrations: [...source.migrations],
      withKeys,
      tables: Object.fromEntries(source.tables.map(({ name, columns }) => [name, columns.map((it) => it.name)])),
    }
    const findFiles = async () => {
      const found = await findDataFiles(data, { withKeys })
      // The backup file may be in the directory that is backed up.
      const isOurs = ({ path: name }: { path: string }) => path.join(data, name).startsWith(`${file}.partial-`)
      const others =
        blobs === null
          ? { files: [], leftOut: {} }
          : await contentsOfOthers(source, { data, blobs, temporary: partial })
      return {
        ...found,
        files: [...found.files.filter((each) => !isOurs(each)), ...others.files],
        leftOut: { ...found.leftOut, ...others.leftOut },
      }
    }
    const manifest = await writeBackup({ target: partial, data, head, source, findFiles }, report)
    await rename(partial, file)
    await syncDirectory(path.dirname(file))
    const { size } = await stat(file)
    const rows = Object.values(manifest.tables).reduce((sum, table) => sum + table.rows, 0)
    const left = Object.entries(manifest.leftOut).map(([what, why]) => `\n  left out: ${leftOutLabel(what)} (${why})`)
    return {
      words: `${file}: ${rows} rows, ${manifest.files.length} files, ${size} bytes.${left.join("")}${sealedNote(manifest.tables)}`,
      facts: {
        file,
        bytes: size,
        rows,
        files: manifest.files.length,
        tables: manifest.tables,
        leftOut: manifest.leftOut,
      },
    }
  } catch (error) {
    await rm(partial, { force: true })
    throw error
  } finally {
    await source.close()
  }
}

/** The current tables of the service on a data directory. */
export async function readTables(data: string, database: string | null): Promise<TableSource> {
  const copies = await loadCopies()
  return database === null
    ? copies.readSqliteTables(path.join(data, "docket.db"))
    : await copies.readPostgresTables(database)
}

async function requireDirectory(directory: string): Promise<void> {
  const found = await stat(directory).catch(() => null)
  if (!found?.isDirectory()) throw new DocketError("invalid_input", `${directory} is no directory.`)
}

/** Removes partial files of killed backups. */
async function removeLeftovers(file: string): Promise<void> {
  const prefix = `${path.basename(file)}.partial-`
  for (const name of await readdir(path.dirname(file))) {
    if (name.startsWith(prefix) && !isAlive(Number.parseInt(name.slice(prefix.length), 10)))
      await rm(path.join(path.dirname(file), name), { recursive: true, force: true })
  }
}

function isAlive(pid: number): boolean {
  try {
    return Number.isInteger(pid) && process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM"
  }
}

/**
 * Refuses early if the disk is clearly too small. The compressed size is not known before; a full disk is reported
 * later.
 */
async function requireRoom({ file, data, database, withKeys }: BackUp): Promise<void> {
  const { files } = await findDataFiles(data, { withKeys })
  const own = database === null ? statSync(path.join(data, "docket.db")).size : 0
  const all = files.reduce((sum, { size }) => sum + size, own)
  const { bavail, bsize } = statfsSync(path.dirname(file))
  if (bavail * bsize >= all * smallestShare) return
  const words = `${path.dirname(file)} has ${bavail * bsize} bytes left, and there are ${all} bytes to keep. Make room, or name another place.`
  throw new DocketError("invalid_input", words)
}

async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory)
  await handle.sync().finally(() => handle.close())
}
