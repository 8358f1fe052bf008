import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { createFileVault } from "../../ground/secret/file-vault.ts"
import { keyFile } from "./key-file.ts"
import { createKeyStore } from "./key-store.ts"

const home = { baseURL: null, package: null }
const gateway = { baseURL: "https://gateway.example", package: null }
const packaged = { baseURL: null, package: "@fixtures/echo" }
const key = (text: string, target: typeof home | typeof gateway | typeof packaged) =>
  ({ type: "api", key: text, ...target }) as const

async function setUp(content: object = {}) {
  const dataDirectory = await mkdtemp(join(tmpdir(), "docket-keys-"))
  onTestFinished(() => rm(dataDirectory, { recursive: true }))
  const file = join(dataDirectory, "auth.json")
  await writeFile(file, JSON.stringify(content))
  const open = () => createKeyStore(createFileVault({ "provider-key": keyFile(dataDirectory) }))
  return { open, read: async () => JSON.parse(await readFile(file, "utf8")) }
}

test("a provider keeps one key per address and package", async () => {
  const { open } = await setUp()
  const keys = open()
  for (const saved of [key("own", home), key("far", gateway), key("echo", packaged)]) await keys.save("openai", saved)
  await keys.save("openai", key("far-2", gateway))
  const again = open()
  expect((await again.get("openai", home))?.key).toBe("own")
  expect((await again.get("openai", gateway))?.key).toBe("far-2")
  expect((await again.get("openai", packaged))?.key).toBe("echo")
  await again.remove("openai", home)
  expect((await again.get("openai", gateway))?.key).toBe("far-2")
  expect((await again.get("openai", home))?.key).not.toBe("own")
  expect(await again.get("open", gateway)).toBeNull()
})

test("a key stored by an earlier version is found, kept and replaced", async () => {
  const { open, read } = await setUp({ openai: { type: "api", key: "old", baseURL: gateway.baseURL } })
  const keys = open()
  expect((await keys.get("openai", gateway))?.key).toBe("old")
  await keys.save("openai", key("own", home))
  expect((await keys.get("openai", gateway))?.key).toBe("old")
  await keys.save("openai", key("new", gateway))
  expect(Object.values(await read())).toEqual([key("new", gateway), key("own", home)])
})
