import { existsSync } from "node:fs"
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises"
import path from "node:path"
import { startPostgres } from "@docket/db/start-postgres"
import { afterAll, expect, it } from "vitest"
import { databaseRecord } from "../database-record.ts"
import { startServiceProcess } from "../test/service-process.ts"
import type { Operation } from "./operation.ts"
import { filledData, newDirectory, removeDirectories, sumsOf } from "./test/filled-data.ts"
import { startOperation } from "./test/operator-process.ts"

const postgres = await startPostgres()
const reason = typeof postgres === "string" ? postgres : null
afterAll(async () => {
  if (typeof postgres !== "string") await postgres.stop()
  await removeDirectories()
})

let databases = 0

/** The variable with the address of a new empty database. */
async function newDatabase(): Promise<{ DATABASE_URL: string }> {
  if (typeof postgres === "string") throw new Error(postgres)
  const name = `counting_${databases++}`
  await postgres.execute(`CREATE DATABASE ${name}`)
  const url = new URL(postgres.url)
  url.pathname = `/${name}`
  return { DATABASE_URL: url.href }
}

const operate = (operation: Operation, env: Record<string, string> = {}) => startOperation(operation, env).exit
const backup = (data: string, file: string): Operation => ({ kind: "backup", file, data, withKeys: true, json: false })
const restore = (data: string, file: string): Operation => ({
  kind: "restore",
  file,
  data,
  replace: true,
  toFile: false,
  json: false,
})
const adopt = (data: string): Operation => ({ kind: "adopt", email: null, data, json: false })
const toPostgres = (data: string): Operation => ({ kind: "to-postgres", url: null, data, json: false })

/** Starts the service and stops it again. Rejects with its output when it does not start. */
async function serve(data: string, env: Record<string, string> = {}): Promise<void> {
  const home = await newDirectory()
  const project = path.join(home, "project")
  await mkdir(project)
  await (await startServiceProcess({ home, data, project, env: { DOCKET_AUTH: "local", ...env } })).kill()
}

const kindIn = async (data: string) => JSON.parse(await readFile(path.join(data, databaseRecord), "utf8")).kind

it.skipIf(reason !== null)("commands refuse the old file database after a move to PostgreSQL", async () => {
  const data = await filledData()
  const env = await newDatabase()
  const directory = await newDirectory()
  const [file, old] = [path.join(directory, "now"), path.join(directory, "old")]
  expect((await operate(backup(data, old))).code).toBe(0)
  const moved = await operate(toPostgres(data), env)
  expect([moved.code, moved.stdout]).toEqual([0, expect.stringContaining("rows are in PostgreSQL now")])
  expect(await readFile(path.join(data, databaseRecord), "utf8")).toBe(`{"kind":"postgres"}\n`)
  const before = await sumsOf(data)
  for (const operation of [backup(data, file), restore(data, old), adopt(data)]) {
    const { code, stderr } = await operate(operation)
    expect([operation.kind, code, stderr]).toEqual([operation.kind, 2, expect.stringContaining("Set DATABASE_URL")])
  }
  await expect(serve(data)).rejects.toThrow("are in PostgreSQL, and DATABASE_URL is not set")
  const again = await operate(toPostgres(data), await newDatabase())
  expect([again.code, again.stderr]).toEqual([2, expect.stringContaining("in PostgreSQL already")])
  expect([await readdir(directory), await sumsOf(data)]).toEqual([["old"], before])
  await serve(data, env)
  expect((await operate(backup(data, file), env)).code).toBe(0)
})

it.skipIf(reason !== null)("a restore to a file makes the file the current database", async () => {
  const data = await filledData()
  const before = await sumsOf(data)
  const env = await newDatabase()
  expect((await operate(toPostgres(data), env)).code).toBe(0)
  const file = path.join(await newDirectory(), "b")
  expect((await operate(backup(data, file), env)).code).toBe(0)
  // DATABASE_URL is set here too, as on a server where it is set for every command.
  const back: Operation = { kind: "restore", file, data, replace: true, toFile: true, json: false }
  const restored = await operate(back, env)
  expect([restored.code, restored.stdout]).toEqual([0, expect.stringContaining("without DATABASE_URL from now on")])
  expect(await sumsOf(data)).toEqual(before)
  expect(await kindIn(data)).toBe("sqlite")
  for (const operation of [backup(data, `${file}-2`), adopt(data)]) {
    const { code, stderr } = await operate(operation, env)
    expect([operation.kind, code, stderr]).toEqual([operation.kind, 2, expect.stringContaining("Unset DATABASE_URL")])
  }
  await expect(serve(data, env)).rejects.toThrow("take the rows there: docket to-postgres")
  await serve(data)
})

it.skipIf(reason !== null)("a service records its current database in its data directory", async () => {
  const [first, second] = [path.join(await newDirectory(), "data"), path.join(await newDirectory(), "data")]
  const env = await newDatabase()
  await serve(first, env)
  expect(await kindIn(first)).toBe("postgres")
  await expect(serve(first)).rejects.toThrow("Set DATABASE_URL")
  expect(existsSync(path.join(first, "docket.db"))).toBe(false)
  await serve(second)
  expect(await kindIn(second)).toBe("sqlite")
  // The service would start with an empty database, as if all data were lost.
  await expect(serve(second, await newDatabase())).rejects.toThrow("are in its docket.db")
})

it.skipIf(reason !== null)("a restored backup records the database it was restored to", async () => {
  const data = await filledData()
  await serve(data)
  const file = path.join(await newDirectory(), "b")
  expect((await operate(backup(data, file))).code).toBe(0)
  const to = path.join(await newDirectory(), "to")
  const env = await newDatabase()
  expect((await operate(restore(to, file), env)).code).toBe(0)
  expect(await kindIn(to)).toBe("postgres")
  expect(await sumsOf(to, env.DATABASE_URL)).toEqual(await sumsOf(data))
})

it.skipIf(reason !== null)("backup refuses a directory that no service used, despite a Docket database", async () => {
  const data = await filledData()
  const env = await newDatabase()
  expect((await operate(toPostgres(data), env)).code).toBe(0)
  const other = await newDirectory()
  const { code, stderr } = await operate(backup(other, path.join(other, "b")), env)
  expect([code, stderr]).toEqual([2, expect.stringContaining(`${other} holds no Docket. Name another directory`)])
  expect(await readdir(other)).toEqual([])
})

it("an unreadable database record stops all commands, with the expected content shown", async () => {
  const data = await filledData()
  await writeFile(path.join(data, databaseRecord), "{")
  const { code, stderr } = await operate(backup(data, path.join(await newDirectory(), "b")))
  expect([code, stderr]).toEqual([2, expect.stringContaining(`{"kind":"sqlite"}`)])
  await expect(serve(data)).rejects.toThrow("is damaged")
})

it("moving to PostgreSQL without an address names DATABASE_URL", async () => {
  const { code, stderr } = await operate(toPostgres(await filledData()))
  expect([code, stderr]).toEqual([2, expect.stringContaining("name the database in DATABASE_URL")])
})

it("an invalid database address is reported in one line without its content", async () => {
  const file = path.join(await newDirectory(), "b")
  const found = await operate(backup(await filledData(), file), { DATABASE_URL: "mysql://docket:pw-secret@host/name" })
  expect(found).toEqual({
    code: 2,
    stdout: "",
    stderr: "docket: DATABASE_URL has to be like postgres://user:password@host/name\n",
  })
})
