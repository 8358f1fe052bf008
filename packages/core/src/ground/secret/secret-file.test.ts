import { mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, test } from "vitest"
import { smallDisk } from "../../test/full-disk.ts"
import { createSecretFile } from "./secret-file.ts"

const tried = smallDisk()
if (tried === null) console.warn("Secrets on a full disk are not tried: no disk can be mounted here")
tried?.[Symbol.dispose]()

function makePlace() {
  const dataDirectory = mkdtempSync(join(tmpdir(), "docket-secrets-"))
  return { dataDirectory, directory: join(dataDirectory, "secrets"), secrets: createSecretFile({ dataDirectory }) }
}

test("a secret is read back by another process of the directory", async () => {
  const { dataDirectory, secrets } = makePlace()
  await secrets.set("mcp example", { access: "at-1", refresh: "rt-1" })
  await secrets.set("mcp example", { access: "at-2", refresh: "rt-2" })
  await secrets.set("auth other", "key")
  const other = createSecretFile({ dataDirectory })
  expect(await other.get("mcp example")).toEqual({ access: "at-2", refresh: "rt-2" })
  expect(await other.names()).toEqual(["auth other", "mcp example"])
  await other.remove("mcp example")
  expect(await secrets.get("mcp example")).toBeNull()
})

test("nothing is read or made before a first secret is saved", async () => {
  const { dataDirectory, secrets } = makePlace()
  expect(await secrets.get("a")).toBeNull()
  expect(await secrets.names()).toEqual([])
  await secrets.remove("a")
  expect(readdirSync(dataDirectory)).toEqual([])
})

test("files of secrets hold neither name nor value and are private", async () => {
  const { directory, secrets } = makePlace()
  await secrets.set("server-name", "very-secret-token")
  const files = readdirSync(directory)
  expect(files).toHaveLength(2)
  expect(statSync(directory).mode & 0o777).toBe(0o700)
  for (const file of files) {
    expect(statSync(join(directory, file)).mode & 0o777).toBe(0o600)
    expect(`${file}${readFileSync(join(directory, file), "latin1")}`).not.toMatch(/server-name|very-secret/)
  }
})

test("a changed file, or another key, opens no secret", async () => {
  const { directory, secrets } = makePlace()
  await secrets.set("one", "value")
  const file = join(directory, readdirSync(directory).find((name) => name.endsWith(".secret")) ?? "")
  const bytes = readFileSync(file)
  bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1
  writeFileSync(file, bytes)
  await expect(secrets.get("one")).rejects.toThrow("is damaged, or its key was replaced")
  expect(await secrets.names()).toEqual([])
  writeFileSync(join(directory, "key"), "short")
  await expect(secrets.get("one")).rejects.toThrow("key of the saved secrets")
})

test("a file under another secret's name gives nothing away", async () => {
  const { directory, secrets } = makePlace()
  await secrets.set("one", "first")
  const [first = ""] = readdirSync(directory).filter((name) => name.endsWith(".secret"))
  await secrets.set("two", "second")
  const second = readdirSync(directory).find((name) => name.endsWith(".secret") && name !== first) ?? ""
  writeFileSync(join(directory, second), readFileSync(join(directory, first)))
  expect(await secrets.get("two")).toBeNull()
})

test("two that save a first secret at once agree on the key", async () => {
  const { dataDirectory } = makePlace()
  const names = Array.from({ length: 10 }, (_, at) => `secret ${at}`)
  await Promise.all(names.map((name) => createSecretFile({ dataDirectory }).set(name, name)))
  expect(await createSecretFile({ dataDirectory }).names()).toEqual([...names].sort())
})

test.skipIf(tried === null)("a full disk says what to do and keeps the last secret", async () => {
  using disk = smallDisk()
  if (disk === null) throw new Error("no disk can be mounted any more")
  const secrets = createSecretFile({ dataDirectory: disk.directory })
  disk.fill()
  await expect(secrets.set("a", "none")).rejects.toThrow("was not written: the disk is full; make room")
  disk.free()
  await secrets.set("a", "first")
  disk.fill()
  await expect(secrets.set("a", "second")).rejects.toThrow("was not written: the disk is full; make room")
  expect(await secrets.get("a")).toBe("first")
})
