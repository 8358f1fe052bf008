import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { gunzipSync } from "node:zlib"
import { startPostgres, type TestPostgres } from "@docket/db/start-postgres"
import { Pool } from "pg"
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest"
import { openPageFiles } from "./page-files.ts"

const probe = await startPostgres()
if (typeof probe === "string") console.warn(`PostgreSQL tests are skipped: ${probe}`)
else await probe.stop()

describe.skipIf(typeof probe === "string")("files of pages over nodes", () => {
  let database: TestPostgres
  let directory: string
  beforeAll(async () => {
    const started = await startPostgres()
    if (typeof started === "string") throw new Error(started)
    database = started
    directory = await mkdtemp(path.join(tmpdir(), "docket-pages-"))
  })
  afterAll(async () => {
    await database.stop()
    await rm(directory, { recursive: true })
  })

  const open = async (now = () => 0) => {
    const pool = new Pool({ connectionString: database.url })
    onTestFinished(() => pool.end())
    return openPageFiles((sql, values) => pool.query(sql, values && [...values]), "public", now)
  }
  const build = async (...names: string[]) => {
    const files = names.map((name) => [`/static/${name}`, path.join(directory, name)] as const)
    for (const [name, file] of files) await writeFile(file, `content of ${name}`)
    return new Map(files)
  }
  const contentOf = (body: Buffer | null) => body && gunzipSync(body).toString()

  test("a node has the files of another, and of the version before", async () => {
    const [one, other] = [await open(), await open()]
    const names = Array.from({ length: 50 }, (_, n) => `chunk-${n}.js`)
    await Promise.all([one.share(await build(...names)), other.share(await build("chunk-7.js", "new.js"))])
    for (const name of ["/static/chunk-0.js", "/static/chunk-49.js", "/static/new.js"])
      for (const node of [one, other]) expect(contentOf(await node.get(name))).toBe(`content of ${name}`)
  })

  test("files are forgotten when no node has used them for two weeks", async () => {
    const node = await open()
    await node.share(await build("old.js", "kept.js"))
    await database.execute("UPDATE page_files SET used = now() - interval '15 days' WHERE name ~ 'old|kept'")
    await node.share(await build("kept.js"))
    expect(await node.get("/static/old.js")).toBeNull()
    expect(contentOf(await node.get("/static/kept.js"))).toBe("content of /static/kept.js")
  })

  test("a name that nobody has is asked for again after a moment", async () => {
    let now = 0
    const [node, other] = [await open(() => now), await open()]
    expect(await node.get("/static/later.js")).toBeNull()
    await other.share(await build("later.js"))
    expect(await node.get("/static/later.js")).toBeNull()
    now = 2_000
    expect(contentOf(await node.get("/static/later.js"))).toBe("content of /static/later.js")
  })
})
