import { existsSync, statfsSync, statSync } from "node:fs"
import { open, readdir, rename, rm, stat } from "node:fs/promises"
import path from "node:path"
import { DocketError } from "@docket/core"
import { loadCopies, type TableSource } from "@docket/db"
import packageJson from "../../package.json" with { type: "json" }
import { formatVersion } from "./backup-format.ts"
import { findDataFiles } from "./data-files.ts"
import type { Outcome, Report } from "./operation.ts"
import { requireDocket } from "./require-docket.ts"
import { leftOutLabel } from "./table-labels.ts"
import { writeBackup } from "./write-backup.ts"

export interface BackUp {
  file: string
  data: string
  /** Address of the PostgreSQL database; null for the file in the data directory. */
  database: string | null
  withKeys: boolean
}

/** Less than this share of what is stored is never left of it. */
const smallestShare = 1 / 4

/**
 * Writes all that a service keeps into one file, while it may run. Under its name there is a whole backup or none.
 * @throws invalid_input, store_unavailable
 */
export async function backUp({ file, data, database, withKeys }: BackUp, report: Report): Promise<Outcome> {
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
      // A backup may lie in the directory that it is of.
      const isOurs = ({ path: name }: { path: string }) => path.join(data, name).startsWith(`${file}.partial-`)
      return { ...found, files: found.files.filter((each) => !isOurs(each)) }
    }
    const manifest = await writeBackup({ target: partial, data, head, source, findFiles }, report)
    await rename(partial, file)
    await syncDirectory(path.dirname(file))
    const { size } = await stat(file)
    const rows = Object.values(manifest.tables).reduce((sum, table) => sum + table.rows, 0)
    const left = Object.entries(manifest.leftOut).map(([what, why]) => `\n  left out: ${leftOutLabel(what)} (${why})`)
    return {
      words: `${file}: ${rows} rows, ${manifest.files.length} files, ${size} bytes.${left.join("")}`,
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

/** The tables of the service on a data directory, as they are now. */
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

/** Of backups that were killed. */
async function removeLeftovers(file: string): Promise<void> {
  const prefix = `${path.basename(file)}.partial-`
  for (const name of await readdir(path.dirname(file))) {
    if (name.startsWith(prefix) && !isAlive(Number(name.slice(prefix.length))))
      await rm(path.join(path.dirname(file), name), { force: true })
  }
}

function isAlive(pid: number): boolean {
  try {
    return Number.isInteger(pid) && process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM"
  }
}

/** Refuses early where it cannot fit. What is compressed is known only when it is: a disk that fills is said then. */
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
