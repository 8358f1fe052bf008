import { mkdtemp, rm, stat } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createSearch } from "@docket/core"
import type { Store } from "@docket/core/store"
import { openPostgresDatabase, openSqliteDatabase } from "@docket/db"
import { startPostgres } from "@docket/db/start-postgres"
import { z } from "zod"
import { fillTranscripts } from "./fill-transcripts.ts"
import type { Measurement } from "./measurement.ts"

const parts = 100_000
/**
 * All are used equally often: rare and common words, phrases, prefixes, filters by own and by joined columns, no
 * result.
 */
const queries = [
  "rare17 parser",
  "the",
  "session error",
  '"of the session"',
  "pars*",
  "the -session",
  "kind:prompt the",
  "tool:bash error",
  "file:src/f17.ts",
  "agent:explore status:failed the",
  "cost:>0.5 session",
  "nowhere",
  "after:1d error",
  "中文 the",
]
const runs = 8
const Size = z.object({ size: z.number() })

/** Measured once per run. */
const measured: { sqlite?: Promise<Searched>; postgres?: Promise<Searched> } = {}

/** Search over 100,000 parts. OpenCode searches only the titles of sessions. */
export const searchMeasurements: Measurement[] = [
  { ...row("search", "search of 100,000 parts, SQLite (95th percentile)", 100), measure: sqlite(({ p95 }) => p95) },
  {
    ...row("search-pg", "search of 100,000 parts, PostgreSQL (95th percentile)", 100),
    measure: postgres(({ p95 }) => p95),
  },
  {
    ...row("search-fill", "a part into the index, SQLite (processor time)", 1),
    measure: sqlite(({ perPart }) => perPart),
  },
  { ...row("search-block", "longest step of that (processor time)", 50), measure: sqlite(({ block }) => block) },
  {
    ...row("search-size", "size of the index, SQLite", 200),
    unit: "MiB",
    measure: sqlite(({ size }) => size),
  },
  {
    ...row("search-size-pg", "size of the index, PostgreSQL", 300),
    unit: "MiB",
    measure: postgres(({ size }) => size),
  },
]

function row(name: string, label: string, aim: number) {
  return { name, label, unit: "ms", aim, opencode: "–", inProcess: true } as const
}

interface Searched {
  /** The 95th percentile of the searches (ms). */
  p95: number
  /** Processor time to index one part (ms). */
  perPart: number
  /** The longest step of indexing, in processor time (ms). */
  block: number
  /** MiB */
  size: number
}

function sqlite(pick: (searched: Searched) => number): () => Promise<number> {
  return async () => {
    measured.sqlite ??= measureOnSqlite()
    return pick(await measured.sqlite)
  }
}

function postgres(pick: (searched: Searched) => number): () => Promise<number> {
  return async () => {
    measured.postgres ??= measureOnPostgres()
    return pick(await measured.postgres)
  }
}

async function measureOnSqlite(): Promise<Searched> {
  const directory = await mkdtemp(join(tmpdir(), "docket-bench-search-"))
  const file = join(directory, "docket.db")
  const database = await openSqliteDatabase({ file, clock: Date.now })
  const size = async () => (await stat(file)).size + (await stat(`${file}-wal`)).size
  try {
    return await measure(database.store("local"), { size, settle: async () => {} })
  } finally {
    await database.close()
    await rm(directory, { recursive: true })
  }
}

async function measureOnPostgres(): Promise<Searched> {
  const server = await startPostgres()
  if (typeof server === "string") throw new Error(server)
  const database = await openPostgresDatabase({ url: server.url })
  try {
    const size = async () => {
      const [found] = await server.execute(`SELECT pg_database_size(current_database())::float8 AS "size"`)
      return Size.parse(found).size
    }
    // The server does this by itself within a minute.
    const settle = async () => void (await server.execute("ANALYZE"))
    return await measure(database.store("local"), { size, settle })
  } finally {
    await database.close()
    await server.stop()
  }
}

interface Disk {
  /** Bytes. */
  size(): Promise<number>
  settle(): Promise<void>
}

async function measure(store: Store, disk: Disk): Promise<Searched> {
  await fillTranscripts(store, parts)
  const before = await disk.size()
  let [total, block] = [0, 0]
  for (let more = true; more; ) {
    const start = process.cpuUsage()
    more = await store.search.index(64)
    const { user, system } = process.cpuUsage(start)
    const ms = (user + system) / 1_000
    total += ms
    block = Math.max(block, ms)
  }
  const size = ((await disk.size()) - before) / 2 ** 20
  await disk.settle()
  const deps = { store, index: { freshen: async () => 1 }, sessionByID: fail, clock: Date.now }
  const search = createSearch(deps, { person: "ann", workspace: "local" })
  const times: number[] = []
  for (let run = 0; run <= runs; run++) {
    for (const text of queries) {
      const start = performance.now()
      await search.find({ text })
      // The first run is a warm-up.
      if (run > 0) times.push(performance.now() - start)
    }
  }
  const sorted = times.toSorted((one, other) => one - other)
  return { p95: sorted[Math.floor(sorted.length * 0.95)] ?? 0, perPart: total / parts, block, size }
}

function fail(): never {
  throw new Error("no tree is asked for")
}
