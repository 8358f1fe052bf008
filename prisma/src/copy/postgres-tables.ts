import { DocketError } from "@docket/core/store"
import { Client } from "pg"
import { applyMigration } from "../migrate/migrate-postgres.ts"
import { type Applied, appliedSql, type Migration, migrationsTable } from "../migrate/migrations.ts"
import { withoutNul } from "../postgres/without-nul.ts"
import { batchLength, type Cell, rowLength, type Table, type TableSource, type TableTarget, tablesOf } from "./table.ts"

/** Rows per fetch; one row may have several megabytes. */
const rowsPerFetch = 200

/** The current tables, read in one transaction while a service may go on writing. @throws store_unavailable */
export async function readPostgresTables(url: string): Promise<TableSource> {
  const client = await connect(url)
  try {
    await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
    const { rows } = await client.query<Applied>(appliedSql)
    return {
      migrations: rows.map(({ name }) => name),
      tables: await readTables(client),
      rows: (table) => readRows(client, table),
      close: () => client.end(),
    }
  } catch (error) {
    await client.end()
    throw new DocketError("store_unavailable", `the PostgreSQL database cannot be read as one of Docket: ${error}`, {
      cause: error,
    })
  }
}

export interface FillOptions {
  url: string
  known: readonly Migration[]
  /** Migrations of the database that the rows come from. */
  names: readonly string[]
  /** A schema to which existing tables are moved; null: refuse a database that has tables. */
  keepIn: string | null
}

/** Creates and fills tables in one transaction. @throws store_unavailable when the database already has tables */
export async function fillPostgresTables({ url, known, names, keepIn }: FillOptions): Promise<TableTarget> {
  const client = await connect(url)
  try {
    await client.query("BEGIN")
    await clear(client, keepIn)
    await client.query(migrationsTable)
    const [before, after] = [
      known.filter(({ name }) => names.includes(name)),
      known.filter(({ name }) => !names.includes(name)),
    ]
    // The rows are inserted into tables as they were at their source; later migrations then change these rows too.
    for (const migration of before) await applyMigration(client, migration)
    const references = await dropReferences(client)
    return {
      tables: await readTables(client),
      storable: withoutNul,
      async insert(table, rows) {
        const columns = table.columns.map(({ name }) => name)
        const objects = rows.map((row) => Object.fromEntries(row.map((cell, at) => [columns[at], withoutNul(cell)])))
        await client.query(
          `INSERT INTO "${table.name}" (${quoted(columns)})
           SELECT ${quoted(columns)} FROM json_populate_recordset(NULL::"${table.name}", $1::json)`,
          [JSON.stringify(objects)],
        )
      },
      rows: (table) => readRows(client, table),
      async finish() {
        for (const sql of references) await client.query(sql)
        for (const migration of after) await applyMigration(client, migration)
        await client.query("COMMIT")
        await client.end()
      },
      abandon: () => client.end(),
    }
  } catch (error) {
    await client.end()
    throw error
  }
}

async function connect(url: string): Promise<Client> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 10_000, application_name: "docket copy" })
  // Without a listener, a lost connection would end the process; the pending query fails with the reason.
  client.on("error", () => {})
  try {
    await client.connect()
    return client
  } catch (error) {
    const words = `cannot reach the PostgreSQL database: ${error}. Check that the server runs and the address.`
    throw new DocketError("store_unavailable", words, { cause: error })
  }
}

/** Moves existing tables away, or refuses them. */
async function clear(client: Client, keepIn: string | null): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT tablename AS "name" FROM pg_tables WHERE schemaname = current_schema() AND tablename NOT LIKE '\\_docket\\_%'`,
  )
  if (rows.length === 0) return
  if (keepIn === null)
    throw new DocketError(
      "store_unavailable",
      `the PostgreSQL database is not empty: it has ${rows.length} tables. Name an empty one.`,
    )
  // Functions that their triggers call are moved too, because the new tables create functions of the same names.
  const { rows: called } = await client.query<{ signature: string }>(
    `SELECT DISTINCT p.oid::regprocedure::text AS "signature"
     FROM pg_trigger g JOIN pg_class t ON t.oid = g.tgrelid JOIN pg_namespace n ON n.oid = t.relnamespace
     JOIN pg_proc p ON p.oid = g.tgfoid AND p.pronamespace = n.oid
     WHERE n.nspname = current_schema() AND NOT g.tgisinternal`,
  )
  await client.query(`CREATE SCHEMA "${keepIn}"`)
  for (const { signature } of called) await client.query(`ALTER FUNCTION ${signature} SET SCHEMA "${keepIn}"`)
  for (const { name } of rows) await client.query(`ALTER TABLE "${name}" SET SCHEMA "${keepIn}"`)
}

/** Drops all foreign keys, because rows are inserted table by table. Returns the statements that restore them. */
async function dropReferences(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ table: string; name: string; definition: string }>(
    `SELECT t.relname AS "table", c.conname AS "name", pg_get_constraintdef(c.oid) AS "definition"
     FROM pg_constraint c JOIN pg_class t ON t.oid = c.conrelid JOIN pg_namespace n ON n.oid = t.relnamespace
     WHERE c.contype = 'f' AND n.nspname = current_schema() ORDER BY 1, 2`,
  )
  for (const { table, name } of rows) await client.query(`ALTER TABLE "${table}" DROP CONSTRAINT "${name}"`)
  return rows.map(({ table, name, definition }) => `ALTER TABLE "${table}" ADD CONSTRAINT "${name}" ${definition}`)
}

async function readTables(client: Client): Promise<Table[]> {
  const { rows } = await client.query<{ table: string; name: string; declared: string; key: number }>(
    `SELECT c.table_name::text AS "table", c.column_name::text AS "name", c.data_type::text AS "declared",
       COALESCE((SELECT array_position(i.indkey::int2[], a.attnum) + 1 FROM pg_index i
         JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attname = c.column_name
         WHERE i.indrelid = t.oid AND i.indisprimary), 0) AS "key"
     FROM information_schema.columns c JOIN pg_class t ON t.relname = c.table_name AND t.relkind = 'r'
     JOIN pg_namespace n ON n.oid = t.relnamespace AND n.nspname = c.table_schema
     WHERE c.table_schema = current_schema()`,
  )
  return tablesOf(rows)
}

async function* readRows(client: Client, table: Table): AsyncGenerator<Cell[][]> {
  const columns = table.columns.map(({ name, type }) =>
    type === "time" ? `to_char("${name}", 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')` : `"${name}"`,
  )
  const types = new Map(table.columns.map(({ name, type }) => [name, type]))
  const order = table.key.map((name) => (types.get(name) === "text" ? `"${name}" COLLATE "C"` : `"${name}"`))
  await client.query(
    `DECLARE docket_copy NO SCROLL CURSOR FOR SELECT ${columns.join(", ")} FROM "${table.name}" ORDER BY ${order.join(", ")}`,
  )
  let batch: Cell[][] = []
  let length = 0
  while (true) {
    const { rows } = await client.query<Cell[]>({ text: `FETCH ${rowsPerFetch} FROM docket_copy`, rowMode: "array" })
    batch.push(...rows)
    for (const row of rows) length += rowLength(row)
    if (batch.length > 0 && (length >= batchLength || rows.length < rowsPerFetch)) {
      yield batch
      batch = []
      length = 0
    }
    if (rows.length < rowsPerFetch) break
  }
  await client.query("CLOSE docket_copy")
}

const quoted = (names: readonly string[]) => names.map((name) => `"${name}"`).join(", ")
