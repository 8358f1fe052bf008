import { randomBytes } from "node:crypto"
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import path from "node:path"
import { claimPostgresDatabase, openPostgresDatabase, openSqliteDatabase } from "@docket/db"
import { startPostgres } from "@docket/db/start-postgres"
import { expect, onTestFinished, test } from "vitest"
import { recordDatabase } from "../../database-record.ts"
import { openVaults } from "../../secrets/open-vaults.ts"
import { backUp } from "../back-up.ts"
import { restore } from "../restore.ts"
import { importSecrets } from "./import-secrets.ts"
import { listSecrets } from "./list-secrets.ts"
import { removeSecrets } from "./remove-secrets.ts"
import { rotateSecrets } from "./rotate-secrets.ts"

const newKey = () => randomBytes(32).toString("base64")
const quiet = () => undefined
const saved = { type: "api", key: "sk-very-secret", baseURL: null, package: null }

function newDirectory(): string {
  const directory = mkdtempSync(path.join(tmpdir(), "docket-secrets-"))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  return directory
}

/** A service on PostgreSQL, which is stopped, with a saved key. */
async function stoppedService(skip: (why: string) => never) {
  const server = await startPostgres()
  if (typeof server === "string") return skip(server)
  onTestFinished(server.stop)
  const [data, key, { url }] = [newDirectory(), newKey(), server]
  recordDatabase(data, "postgres", "rows")
  const open = async (given: string | undefined) => {
    const database = await openPostgresDatabase({ url })
    onTestFinished(() => database.close())
    return { database, ...(await openVaults({ data, kind: "postgres", database, key: given, report: quiet })) }
  }
  const { of, service, database } = await open(key)
  await of("local").change("provider-key", "openai", () => saved)
  await service.change("token", "", () => "t".repeat(43))
  const keyIn = async (given: string) => (await open(given)).of("local").get("provider-key", "openai")
  return { data, key, url, place: { data, database: url }, open, keyIn, database }
}

test("secrets are listed without values and without a key", async ({ skip }) => {
  const { place, data } = await stoppedService(skip)
  writeFileSync(path.join(data, "team.json"), JSON.stringify({ url: "https://docket.example.org" }))
  const { words, facts } = await listSecrets(place)
  expect(words.split("\n").sort()).toEqual([
    "provider-key  openai  workspace local  database",
    `team-settings  ${path.join(data, "team.json")}`,
    "token  database",
  ])
  expect(JSON.stringify(facts)).not.toContain("sk-very")
})

test("a new key takes the old one's place, and that is audited", async ({ skip }) => {
  const { place, key, keyIn, database } = await stoppedService(skip)
  const next = newKey()
  await rotateSecrets({ ...place, keys: { now: key, next } })
  expect(await keyIn(next)).toEqual(saved)
  const today = new Date().toISOString().slice(0, 10)
  await expect(keyIn(key)).rejects.toThrow(`docket secrets rotate replaced on ${today}. Set it to the new key.`)
  await expect(rotateSecrets({ ...place, keys: { now: key, next } })).rejects.toThrow("Set it to the new key")
  const [entry] = await database.store("local").audit.read({ limit: 2 })
  expect(entry).toMatchObject({ act: "secrets.rotated", call: "docket secrets rotate", via: "cli" })
  // Back again.
  await rotateSecrets({ ...place, keys: { now: next, next: key } })
  expect(await keyIn(key)).toEqual(saved)
  await expect(keyIn(next)).rejects.toThrow("replaced on")
})

test("a wrong, equal, malformed or missing key rotates nothing", async ({ skip }) => {
  const { place, key, keyIn, database } = await stoppedService(skip)
  const before = await database.secrets.list()
  const rotate = (now: string | undefined, next: string | undefined) => rotateSecrets({ ...place, keys: { now, next } })
  await expect(async () => rotate(newKey(), newKey())).rejects.toThrow("DOCKET_SECRET_KEY is not the key")
  await expect(async () => rotate(key, key)).rejects.toThrow("DOCKET_SECRET_KEY_NEW is the key in use")
  await expect(async () => rotate(key, "short")).rejects.toThrow("DOCKET_SECRET_KEY_NEW has to be 32 bytes")
  await expect(async () => rotate(key, undefined)).rejects.toThrow("Set DOCKET_SECRET_KEY_NEW")
  // A row that does not open would be lost with the old key.
  const place2 = { tenantID: "local", kind: "provider-key", name: "moved" }
  const sealed = before.find(({ kind }) => kind === "provider-key")?.sealed ?? ""
  await database.secrets.swap([{ place: place2, before: null, after: sealed }])
  await expect(rotate(key, newKey())).rejects.toThrow('provider-key "moved" of the workspace local does not open')
  await removeSecrets({ ...place, which: { kind: "provider-key", name: "moved", workspace: "local" } })
  expect(await database.secrets.list()).toEqual(before)
  expect(await keyIn(key)).toEqual(saved)
})

test("nodes that run are named, and keep the key", async ({ skip }) => {
  const { place, key, keyIn, url, database } = await stoppedService(skip)
  const claim = await claimPostgresDatabase(url, { as: "node" })
  onTestFinished(() => claim.release())
  const [id, hostID] = ["nod_0000000000000000000000001A", "hst_0000000000000000000000001A"]
  await database.nodes.putHost({ id: hostID, label: "rack" })
  await database.nodes.beat({ id, hostID, role: "worker", version: "1", pid: 7, places: ["any"] })
  const rotating = rotateSecrets({ ...place, keys: { now: key, next: newKey() } })
  await expect(rotating).rejects.toThrow(`These nodes use the database: ${id} (worker on rack). Stop all of them`)
  expect(await keyIn(key)).toEqual(saved)
}, 60_000)

test("an administrator chooses between files and database", async ({ skip }) => {
  const { place, data, key, keyIn } = await stoppedService(skip)
  const file = path.join(data, "auth.json")
  const write = (text: string) => writeFileSync(file, JSON.stringify({ openai: { ...saved, key: text } }))
  write("sk-of-file")
  await expect(keyIn(key)).rejects.toThrow('different secrets: provider-key "openai" of the workspace local')
  await importSecrets({ ...place, key, wins: "rows" }, quiet)
  expect([await keyIn(key), existsSync(file)]).toEqual([saved, false])
  write("sk-of-file")
  await importSecrets({ ...place, key, wins: "files" }, quiet)
  expect([await keyIn(key), existsSync(file)]).toEqual([{ ...saved, key: "sk-of-file" }, false])
})

test("after a lost key, all can be removed and another set", async ({ skip }) => {
  const { place, keyIn } = await stoppedService(skip)
  const next = newKey()
  await expect(keyIn(next)).rejects.toThrow("docket secrets remove --all")
  await removeSecrets({ ...place, which: null })
  expect(await keyIn(next)).toBeNull()
})

test("a backup carries sealed secrets, which open with the key alone", async ({ skip }) => {
  const { place, key } = await stoppedService(skip)
  const file = path.join(newDirectory(), "backup")
  const to = newDirectory()
  const { words } = await backUp({ ...place, file, withKeys: false }, quiet)
  expect(words).toContain("3 sealed secrets: they open with the DOCKET_SECRET_KEY of the service alone")
  const restored = await restore({ file, data: to, database: null, replace: false, toFile: true }, quiet)
  expect(restored.words).toContain("3 sealed secrets")
  const database = await openSqliteDatabase({ file: path.join(to, "docket.db"), clock: Date.now })
  onTestFinished(() => database.close())
  const open = (given: string | undefined) =>
    openVaults({ data: to, kind: "sqlite", database, key: given, report: quiet })
  await expect(open(undefined)).rejects.toThrow("DOCKET_SECRET_KEY is not set")
  expect(await (await open(key)).of("local").get("provider-key", "openai")).toEqual(saved)
})
