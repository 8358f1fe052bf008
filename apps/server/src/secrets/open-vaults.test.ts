import { randomBytes } from "node:crypto"
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import path from "node:path"
import { createInMemoryDatabase } from "@docket/core/store"
import { createFileVault } from "@docket/core/vault"
import { expect, onTestFinished, test } from "vitest"
import { type OpenVaults, openVaults } from "./open-vaults.ts"
import { serviceDrawers } from "./service-drawers.ts"

const newKey = () => randomBytes(32).toString("base64")
const key = newKey()
const line = () => randomBytes(32).toString("base64url")
const openaiKey = { type: "api", key: "sk-1", baseURL: null, package: null }

function newDirectory(): string {
  const directory = mkdtempSync(path.join(tmpdir(), "docket-vaults-"))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  return directory
}

/** A data directory as a service without a shared database leaves it. */
async function filledDirectory({ token = line(), openai = openaiKey } = {}) {
  const data = newDirectory()
  const vault = createFileVault(serviceDrawers(data))
  await vault.change("token", "", () => token)
  await vault.change("team-secret", "", () => "s".repeat(43))
  await vault.change("team-settings", "", () => ({ url: "https://docket.example.org" }))
  await vault.change("login", "hash", () => ({ created: 1, expires: 2 }))
  writeFileSync(path.join(data, "auth.json"), JSON.stringify({ openai }))
  mkdirSync(path.join(data, "workspaces/shop/webhook-secrets"), { recursive: true })
  writeFileSync(path.join(data, "workspaces/shop/webhook-secrets/web_1.json"), JSON.stringify([]))
  return { data, token }
}

function onDatabase(database = createInMemoryDatabase()) {
  const said: string[] = []
  const open = (data: string, more: Partial<OpenVaults> = {}) =>
    openVaults({ data, kind: "postgres", database, key, report: (words) => said.push(words), ...more })
  return { database, open, said }
}

const held = ["auth.json", "token", "team-secret", "team.json", "logins.json", "workspaces/shop/webhook-secrets"]
const thereIn = (data: string) => held.filter((name) => existsSync(path.join(data, name)))

test("the first start with a key moves what files hold", async () => {
  const { data, token } = await filledDirectory()
  const { open, database, said } = onDatabase()
  const { service, of, place } = await open(data)
  expect(place).toBe("rows")
  expect(await service.get("token", "")).toBe(token)
  expect(await service.get("team-settings", "")).toEqual({ url: "https://docket.example.org" })
  expect(await service.get("login", "hash")).toEqual({ created: 1, expires: 2 })
  expect(await of("local").get("provider-key", "openai")).toEqual(openaiKey)
  expect(await of("shop").get("webhook", "web_1")).toEqual([])
  expect(thereIn(data)).toEqual([])
  const [kept = ""] = readdirSync(data).filter((name) => name.startsWith("before-rows-"))
  expect(said.join("\n")).toContain(path.join(data, kept))
  expect(thereIn(path.join(data, kept))).toEqual(held)
  for (const name of held.slice(0, 5)) expect(statSync(path.join(data, kept, name)).mode & 0o777).toBe(0o600)
  expect(readFileSync(path.join(data, kept, "token"), "utf8")).toBe(`${token}\n`)
  // No row and no message tells a secret.
  const rows = await database.secrets.list()
  for (const secret of [token, "sk-1"]) expect(JSON.stringify([rows, said])).not.toContain(secret)
})

test("nodes that start at once on equal files move once", async () => {
  const token = line()
  const [one, two] = [await filledDirectory({ token }), await filledDirectory({ token })]
  const { open } = onDatabase()
  const opened = await Promise.all([open(one.data), open(two.data)])
  for (const { service } of opened) expect(await service.get("token", "")).toBe(token)
  expect([...thereIn(one.data), ...thereIn(two.data)]).toEqual([])
})

test("files that disagree with the rows are refused by name and stay", async () => {
  const token = line()
  const [one, two] = [
    await filledDirectory({ token }),
    await filledDirectory({ token, openai: { ...openaiKey, key: "sk-2" } }),
  ]
  const { open } = onDatabase()
  const { of } = await open(one.data)
  const refused = open(two.data)
  await expect(refused).rejects.toThrow(
    `The files of ${two.data} and the database have different secrets: provider-key "openai" of the workspace local. Choose`,
  )
  await expect(refused).rejects.not.toThrow("sk-2")
  expect(thereIn(two.data)).toEqual(held)
  expect(await of("local").get("provider-key", "openai")).toEqual(openaiKey)
})

test("a copied token is no secret to move again", async () => {
  const data = newDirectory()
  const { open, said } = onDatabase()
  const { service } = await open(data)
  const token = line()
  await service.change("token", "", () => token)
  writeFileSync(path.join(data, "token"), `${token}\n`)
  await open(data)
  expect(said).toEqual([])
  writeFileSync(path.join(data, "database.json"), JSON.stringify({ kind: "postgres", secrets: "rows" }))
  writeFileSync(path.join(data, "token"), `${line()}\n`)
  await open(data)
  expect([said, await service.get("token", "")]).toEqual([[], token])
})

test("without a key, and on SQLite, secrets stay in files", async () => {
  const { data, token } = await filledDirectory()
  for (const more of [{ key: undefined }, { kind: "sqlite" as const }]) {
    const { service, place } = await onDatabase().open(data, more)
    expect([place, await service.get("token", "")]).toEqual(["files", token])
  }
  expect(thereIn(data)).toEqual(held)
})

test("a missing, malformed or other key is refused by name", async () => {
  const data = newDirectory()
  const { database, open } = onDatabase()
  await open(data)
  for (const kind of ["postgres", "sqlite"] as const) {
    await expect(open(data, { kind, key: undefined })).rejects.toThrow("DOCKET_SECRET_KEY is not set")
    await expect(open(data, { kind, key: newKey() })).rejects.toThrow("DOCKET_SECRET_KEY is not the key")
    await expect(open(data, { kind, key: "short" })).rejects.toThrow("DOCKET_SECRET_KEY has to be 32 bytes in base64")
    expect((await open(data, { kind })).place).toBe("rows")
  }
  // Nothing was written by those that were refused.
  expect((await database.secrets.list()).map(({ kind, name }) => [kind, name])).toEqual([["key", ""]])
})

test("of two first keys at once, one counts", async () => {
  const { open } = onDatabase()
  const tries = [newKey(), newKey()].map((given) => open(newDirectory(), { key: given }))
  const results = await Promise.allSettled(tries)
  expect(results.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"])
})
