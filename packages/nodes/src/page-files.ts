import { readFile } from "node:fs/promises"
import { promisify } from "node:util"
import { gzip } from "node:zlib"
import type { ExecuteSql } from "@docket/core/turn-engine"

/** Files of web apps that no node has used for so long are forgotten (days). */
const keptDays = 14
/** How many files go into one statement. */
const atOnce = 20
/** A name that no node has is not asked for again within this time (ms). */
const missingMs = 2_000
/** How many of these names are remembered. */
const mostMissing = 1_000

/**
 * The scripts and styles of the web apps of all nodes, with those of the version before. A page that came from one node gets the
 * rest of its files from any other.
 */
export interface PageFiles {
  /** Adds the files of this node's web app: names and absolute paths. */
  share(files: ReadonlyMap<string, string>): Promise<void>
  /** The content of a file, compressed with gzip; null when no node has or had it. */
  get(name: string): Promise<Buffer | null>
}

/**
 * @param execute runs a statement
 * @param schema in which the table of files is
 * @param now monotonic time (ms)
 */
export async function openPageFiles(execute: ExecuteSql, schema: string, now: () => number): Promise<PageFiles> {
  const table = `"${schema}"."page_files"`
  await execute(
    `CREATE TABLE IF NOT EXISTS ${table} (name text PRIMARY KEY, body bytea NOT NULL, used timestamptz NOT NULL)`,
  )
  const missing = new Map<string, number>()
  // `as`: the rows are those of the statements below.
  const query = async <Row>(sql: string, values: unknown[]) => (await execute(sql, values)).rows as Row[]
  return {
    async share(files) {
      const names = [...files.keys()]
      const use = `UPDATE ${table} SET used = now() WHERE name = ANY($1) RETURNING name`
      const known = new Set((await query<{ name: string }>(use, [names])).map(({ name }) => name))
      const left = names.filter((name) => !known.has(name))
      for (const chunk of chunks(left, atOnce)) {
        const bodies = await Promise.all(chunk.map(async (name) => gzipped(await readFile(files.get(name) ?? ""))))
        await execute(
          `INSERT INTO ${table} (name, body, used) SELECT *, now() FROM unnest($1::text[], $2::bytea[])
           ON CONFLICT (name) DO UPDATE SET used = now()`,
          [chunk, bodies],
        )
      }
      await execute(`DELETE FROM ${table} WHERE used < now() - make_interval(days => $1)`, [keptDays])
    },
    async get(name) {
      const until = missing.get(name) ?? 0
      if (now() < until) return null
      const [row] = await query<{ body: Buffer }>(`SELECT body FROM ${table} WHERE name = $1`, [name])
      if (row !== undefined) return row.body
      if (missing.size >= mostMissing) missing.clear()
      missing.set(name, now() + missingMs)
      return null
    },
  }
}

const gzipped = promisify(gzip)

function chunks<Item>(items: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  )
}
