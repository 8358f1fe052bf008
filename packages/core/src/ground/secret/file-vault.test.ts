import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, onTestFinished, test } from "vitest"
import { vaultContract } from "../../contract/vault-contract.ts"
import { memoryDrawer } from "./drawer.ts"
import { createFileVault } from "./file-vault.ts"
import { signInFiles } from "./sign-in-files.ts"

function newDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), "docket-vault-"))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  return directory
}

// A data directory belongs to one process.
describe("in files", () =>
  vaultContract(async () => {
    const vault = createFileVault({ "sign-in": signInFiles(newDirectory()) })
    return [vault, vault]
  }))

describe("in memory", () =>
  vaultContract(async () => {
    const vault = createFileVault({ "sign-in": memoryDrawer() })
    return [vault, vault]
  }))

test("files of sign-ins keep other secrets of their directory", async () => {
  const drawer = signInFiles(newDirectory())
  await drawer.set("abilities of plugins", {})
  await drawer.set("mcp one", "a")
  await drawer.set("plugin two", "b")
  expect([...(await drawer.all())]).toEqual([
    ["mcp one", "a"],
    ["plugin two", "b"],
  ])
  await drawer.clear()
  expect([...(await drawer.all())]).toEqual([])
  expect(await drawer.get("abilities of plugins")).toEqual({})
})
