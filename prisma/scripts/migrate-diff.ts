import { mkdir, readdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { parseArgs } from "node:util"
import { PrismaPg } from "@prisma/adapter-pg"
import { bindMigrationAwareSqlAdapterFactory } from "@prisma/driver-adapter-utils"
import { SchemaEngine } from "@prisma/schema-engine-wasm"
import { createConnectionLock } from "../src/sqlite/connection-lock.ts"
import { createSqliteAdapter } from "../src/sqlite/prisma-adapter.ts"
import { startPostgres } from "../test/start-postgres.ts"

/**
 * `pnpm migrate:diff <name>`: writes the next migration of each database, from the models as they were at the last
 * migration (migrations/schema.prisma) to schema.prisma. The engine needs a PostgreSQL server, so one is started
 * meanwhile.
 */
const root = join(import.meta.dirname, "..")
const [name] = parseArgs({ allowPositionals: true }).positionals
if (!name || !/^[a-z0-9_]+$/.test(name))
  throw new Error("name the migration, e.g.: pnpm migrate:diff add_session_color")

const template = await readFile(join(root, "schema.prisma"), "utf8")
const snapshot = join(root, "migrations/schema.prisma")
const before = await readFile(snapshot, "utf8").catch(() => null)
if (before === template) throw new Error("schema.prisma is what the last migration left; change it first")

const postgres = await startPostgres()
if (typeof postgres === "string") throw new Error(`no PostgreSQL to make the migration with: ${postgres}`)
const dialects = [
  {
    dialect: "sqlite",
    provider: "sqlite",
    adapter: createSqliteAdapter(new DatabaseSync(":memory:"), createConnectionLock()),
  },
  { dialect: "postgres", provider: "postgresql", adapter: new PrismaPg({ connectionString: postgres.url }) },
]
for (const { dialect, provider, adapter } of dialects) {
  const models = (text: string) => ({
    files: [{ path: "schema.prisma", content: text.replaceAll("{{provider}}", provider) }],
  })
  const to = models(template)
  const engine = await SchemaEngine.new(
    { datamodels: to.files.map((file) => [file.path, file.content]) },
    () => {},
    bindMigrationAwareSqlAdapterFactory(adapter),
  )
  const { stdout } = await engine.diff({
    from: before === null ? { tag: "empty" } : { tag: "schemaDatamodel", ...models(before) },
    to: { tag: "schemaDatamodel", ...to },
    script: true,
    exitCode: null,
    filters: { externalTables: [], externalEnums: [] },
  })
  await write(dialect, stdout ?? "")
}
await writeFile(snapshot, template)
await postgres.stop()

async function write(dialect: string, sql: string): Promise<void> {
  const directory = join(root, "migrations", dialect)
  await mkdir(directory, { recursive: true })
  const count = (await readdir(directory)).length
  const target = join(directory, `${String(count + 1).padStart(4, "0")}_${name}`)
  await mkdir(target)
  await writeFile(join(target, "migration.sql"), dialect === "postgres" ? forPostgres(sql) : sql)
  console.log(join(target, "migration.sql"))
}

/**
 * Adapts the SQL. Ids sort by byte, so PostgreSQL must not sort them by the rules of a language (SQLite compares bytes
 * anyway). The schema `public` always exists, and not every user may create a schema.
 */
function forPostgres(sql: string): string {
  return sql
    .replaceAll(/" TEXT\b/g, '" TEXT COLLATE "C"')
    .replace('-- CreateSchema\nCREATE SCHEMA IF NOT EXISTS "public";\n\n', "")
}
