import { mkdtempSync, rmSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { createProviderPackages } from "@docket/core/installed-packages"
import { startPackageRegistry } from "@docket/core/test/package-registry"
import { expect, onTestFinished, test } from "vitest"
import { runServers } from "./test/run-servers.ts"

const script = path.join(import.meta.dirname, "test/hostile-server.mjs")

async function withRegistry(bin: unknown = { "mcp-words": "server" }) {
  const registry = await startPackageRegistry()
  onTestFinished(() => registry[Symbol.asyncDispose]())
  const dataDirectory = mkdtempSync(path.join(tmpdir(), "docket-mcp-packages-"))
  onTestFinished(() => rmSync(dataDirectory, { recursive: true, force: true }))
  const program = `#!/usr/bin/env node\n${await readFile(script, "utf8")}`
  const agreed = await registry.publish({
    manifest: { name: "mcp-words", version: "1.2.0", type: "module", bin, scripts: { install: "touch /tmp/ran" } },
    files: { server: program },
  })
  return { registry, agreed, packages: createProviderPackages({ dataDirectory, env: registry.env, clock: Date.now }) }
}

test.each([
  ["user's", false],
  ["trusted project's", true],
])("a package that a %s npx names waits for consent, then runs", async (_whose, ofProject) => {
  const { registry, agreed, packages } = await withRegistry()
  const config = { words: { type: "local", command: ["npx", "-y", "mcp-words", "plain"] } }
  const fixture = await runServers({
    ...{ packages, isSandboxed: true },
    ...(ofProject ? { files: { "docket.json": JSON.stringify({ mcp: config }) } } : { mcp: config }),
  })
  const { toolNames, itemOf, untilState, call, results } = fixture
  if (ofProject) {
    const [entry] = await fixture.trust()
    expect(JSON.stringify(entry)).toContain("Its package, mcp-words of npm, is installed only once")
  }
  await toolNames()
  expect(registry.asked).toEqual([])
  const waiting = { state: "waits", installs: "mcp-words", error: expect.stringContaining("is not installed") }
  expect(await itemOf("words")).toMatchObject(waiting)
  await packages.install(agreed)
  await toolNames()
  await untilState("words", ["ready"])
  await call({ tool: "words_say", input: { word: "hello" } })
  expect(results).toEqual(["said hello"])
  expect(await itemOf("words")).not.toHaveProperty("installs")
})

test("what npx would take from elsewhere is never fetched", async () => {
  const { registry, packages } = await withRegistry()
  const command = ["npx", "-y", "git+https://example.com/x.git"]
  const { toolNames, itemOf } = await runServers({ packages, mcp: { words: { type: "local", command } } })
  await toolNames()
  const waiting = { state: "waits", error: expect.stringContaining("is not a package that Docket installs") }
  expect(await itemOf("words")).toMatchObject(waiting)
  expect(registry.asked).toEqual([])
})

test("a project's server does not fetch what Docket cannot tell", async () => {
  const { registry, packages } = await withRegistry()
  const command = ["sh", "-c", "cd . && npm exec --yes mcp-words"]
  const words = { type: "local", command }
  const files = { "docket.json": JSON.stringify({ mcp: { words } }) }
  const { toolNames, itemOf, trust } = await runServers({ packages, files })
  await trust()
  await toolNames()
  const waiting = { state: "waits", error: expect.stringContaining("Docket cannot tell. Write it as npx PACKAGE") }
  expect(await itemOf("words")).toMatchObject(waiting)
  expect(registry.asked).toEqual([])
})

test("a package without the named program says which it has", async () => {
  const { packages, agreed } = await withRegistry({ one: "server", two: "server" })
  await packages.install(agreed)
  const command = ["npx", "-y", "mcp-words"]
  const { itemOf } = await runServers({ packages, mcp: { words: { type: "local", command } } })
  expect((await itemOf("words"))?.error).toBe("The package mcp-words has no program mcp-words. It has one, two.")
})
