import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { openSqliteDatabase } from "../src/index.ts"

let migrated: Promise<Buffer> | undefined

/** Writes a database file without rows, with current tables. The first call makes the file; later calls copy it. */
export async function writeMigratedSqlite(file: string): Promise<void> {
  migrated ??= migrate()
  await writeFile(file, await migrated)
}

async function migrate(): Promise<Buffer> {
  const directory = await mkdtemp(join(tmpdir(), "docket-migrated-"))
  const file = join(directory, "docket.db")
  // Closing the last connection merges the WAL into the file.
  await (await openSqliteDatabase({ file, clock: Date.now })).close()
  const content = await readFile(file)
  await rm(directory, { recursive: true })
  return content
}
