import { createWriteStream, statfsSync } from "node:fs"
import { mkdir } from "node:fs/promises"
import path from "node:path"
import { pipeline } from "node:stream/promises"
import { DocketError } from "@docket/core"
import { claimPostgresDatabase, loadCopies, type Table, type TableSum, type TableTarget } from "@docket/db"
import { prepareDataDirectory } from "../data-directory.ts"
import { databaseKind, recordDatabase, recordedDatabase, requireRecorded } from "../database-record.ts"
import { lockDataDirectory } from "../lock/data-lock.ts"
import type { BackupHead, BackupManifest } from "./backup-format.ts"
import type { Outcome, Report } from "./operation.ts"
import { type BackupTaker, readBackup } from "./read-backup.ts"
import { brokenRestore, dataIn, finishBrokenRestore, openStaging, type Staging } from "./staging.ts"
import { leftOutLabel, rowsLabel, sealedNote } from "./table-labels.ts"

export interface Restore {
  file: string
  data: string
  /** Address of the PostgreSQL database to fill; null for a file in the data directory. */
  database: string | null
  /** Replaces existing data, which is kept aside. */
  replace: boolean
  /** Restores to a file on purpose, even if the rows were in PostgreSQL. */
  toFile: boolean
}

/** Free space to keep on the disk for other programs (bytes). */
const spareBytes = 67_108_864
/** The free space is checked again after this many bytes. */
const checkEveryBytes = 67_108_864

/**
 * Restores a backup into a data directory and a database. It takes effect only after all of it was read and verified.
 * @throws data_directory_locked, invalid_input, store_unavailable
 */
export async function restore(asked: Restore, report: Report): Promise<Outcome> {
  const { data, database, replace, toFile } = asked
  prepareDataDirectory(data)
  const lock = lockDataDirectory(data)
  try {
    if (finishBrokenRestore(data))
      return { words: `The restore of ${data} that was broken off is finished.`, facts: { finished: true } }
    // Going from file to PostgreSQL needs no check: the old file is kept aside, and DATABASE_URL is set.
    if (recordedDatabase(data) === "postgres" && !toFile) requireRecorded(data, databaseKind(database))
    const wasBrokenOff = brokenRestore(data) !== null
    const present = dataIn(data).filter((name) => !name.startsWith("before-"))
    if (present.length > 0 && !replace)
      throw new DocketError(
        "invalid_input",
        `${data} is not empty${wasBrokenOff ? ", and a restore of it was broken off" : ""}. Name another directory with --data, or add --replace: what is there is kept beside it.`,
      )
    const keepIn = `before-${new Date().toISOString().replaceAll(/[:.]/g, "-")}`
    const claim = database === null ? null : await claimPostgresDatabase(database, { as: "command" })
    const staging = openStaging(data)
    try {
      const restored = await fill(asked, staging, keepIn, report)
      await restored.finish(present.length > 0 ? keepIn : null)
      return outcome(asked, restored, present.length > 0 ? keepIn : null)
    } catch (error) {
      staging.abandon()
      throw error
    } finally {
      await claim?.release()
    }
  } finally {
    lock.release()
  }
}

interface Restored {
  head: BackupHead
  manifest: BackupManifest
  finish(keepIn: string | null): Promise<void>
}

/** Reads the backup into the staging directory and a database that is not in use yet. */
async function fill(
  { file, database, replace }: Restore,
  staging: Staging,
  keepIn: string,
  report: Report,
): Promise<Restored> {
  const { fillTables, createTableDigest, requireSame, sumOf } = await loadCopies()
  let target: TableTarget | null = null
  const digests = new Map<string, ReturnType<typeof createTableDigest>>()
  let head: BackupHead | null = null
  const taker: BackupTaker = {
    async begin(given) {
      head = given
      const into =
        database === null
          ? { file: path.join(staging.files, "docket.db") }
          : { url: database, keepIn: replace ? keepIn.replaceAll("-", "_").toLowerCase() : null }
      target = await fillTables(into, given.migrations)
      for (const { name } of target.tables) digests.set(name, createTableDigest())
    },
    async rows(name, rows) {
      const { table, into } = tableOf(target, head, name)
      const storable = rows.map((row) => row.map(into.storable))
      digests.get(name)?.add(storable)
      await into.insert(table, storable)
    },
    ...fileTaker(staging.files),
  }
  try {
    const read = await readBackup(file, taker)
    const into = target as TableTarget | null
    if (into === null) throw new Error("a backup without a beginning was taken for whole")
    for (const table of into.tables) {
      const given = digests.get(table.name)?.sum() as TableSum
      requireSame(table.name, given, await sumOf(into.rows(table)))
      if (given.rows > 0) report(rowsLabel(table.name, given.rows))
    }
    report(`${read.manifest.files.length} files`)
    const finish = async (old: string | null) => {
      if (database !== null) staging.recordCommit()
      await into.finish()
      recordDatabase(staging.files, databaseKind(database))
      staging.settle(old)
    }
    return { ...read, finish }
  } catch (error) {
    await (target as TableTarget | null)?.abandon()
    throw error
  }
}

/** The table of this version for rows of the backup: it must have the same columns. */
function tableOf(
  target: TableTarget | null,
  head: BackupHead | null,
  name: string,
): { table: Table; into: TableTarget } {
  const table = target?.tables.find((each) => each.name === name)
  const columns = head?.tables[name]?.join()
  if (!target || table === undefined || table.columns.map((column) => column.name).join() !== columns)
    throw new DocketError(
      "invalid_input",
      `this is no whole backup, and nothing was changed: its table ${name} is unknown`,
    )
  return { table, into: target }
}

function fileTaker(root: string): Pick<BackupTaker, "directory" | "file"> {
  let sinceLook = checkEveryBytes
  const requireRoom = (more: number) => {
    sinceLook += more
    if (sinceLook < checkEveryBytes) return
    sinceLook = 0
    const { bavail, bsize } = statfsSync(root)
    if (bavail * bsize < spareBytes)
      throw new DocketError(
        "store_unavailable",
        "the disk has no room for the backup; nothing was changed. Make room and try again.",
      )
  }
  return {
    async directory(name) {
      await mkdir(path.join(root, name), { recursive: true, mode: 0o700 })
    },
    async file(name, mode, content) {
      const place = path.join(root, name)
      await mkdir(path.dirname(place), { recursive: true, mode: 0o700 })
      const watched = async function* () {
        for await (const chunk of content) {
          requireRoom(chunk.length)
          yield chunk
        }
      }
      // `place` cannot lead through a link, because only files and directories are created below `root`.
      await pipeline(watched, createWriteStream(place, { flags: "wx", mode }))
    },
  }
}

function outcome({ data, file, toFile }: Restore, { head, manifest }: Restored, keptIn: string | null): Outcome {
  const rows = Object.values(manifest.tables).reduce((sum, table) => sum + table.rows, 0)
  const left = Object.entries(manifest.leftOut).map(
    ([what, why]) => `\n  not in the backup: ${leftOutLabel(what)} (${why})`,
  )
  const kept = keptIn === null ? "" : `\nWhat was there is in ${path.join(data, keptIn)}.`
  const without = toFile ? "\nIts rows are in docket.db: start Docket without DATABASE_URL from now on." : ""
  const moved =
    head.data === data
      ? ""
      : `\nIt was made of ${head.data}: full outputs that sessions name by their path are found there only.`
  return {
    words: `${file} is restored to ${data}: ${rows} rows, ${manifest.files.length} files.${left.join("")}${sealedNote(manifest.tables)}${kept}${without}${moved}`,
    facts: { data, rows, files: manifest.files.length, keptIn, created: head.created, leftOut: manifest.leftOut },
  }
}
