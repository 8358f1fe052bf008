import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createProviderPackages } from "@docket/core/installed-packages"
import { startPackageRegistry } from "@docket/core/test/package-registry"
import { expect, onTestFinished, test } from "vitest"
import { plugged } from "./test/plugged.ts"

const glob = { tool: "glob", input: { pattern: "*.txt" } }
const entry = `import { word } from "./word"
import { $ } from "bun"
import { z } from "zod"
export const helper = 5
export const Plugin = async (_, options) => ({
  "tool.execute.after": async (_, output) => {
    output.output += " " + word + " " + options.level + " " + (await $\`echo \${"a b"}\`.text()).trim() + " " + typeof z.string
  },
})
`
const fixture = {
  manifest: {
    name: "opencode-words",
    version: "1.2.0",
    type: "module",
    exports: { ".": "./main.js", "./server": "./server.ts" },
  },
  files: {
    "main.js": 'throw new Error("the wrong entry")',
    "server.ts": entry,
    "word.ts": "export enum E { A }\nexport const word: string = `typed ${E.A}`\n",
  },
}

async function withRegistry() {
  const registry = await startPackageRegistry()
  onTestFinished(() => registry[Symbol.asyncDispose]())
  const dataDirectory = mkdtempSync(join(tmpdir(), "docket-packages-"))
  onTestFinished(() => rmSync(dataDirectory, { recursive: true, force: true }))
  return { registry, packages: createProviderPackages({ dataDirectory, env: registry.env, clock: Date.now }) }
}

test.each([
  ["user's", false],
  ["trusted project's", true],
])("a %s package waits for consent, then runs", async (_whose, ofProject) => {
  const { registry, packages } = await withRegistry()
  const agreed = await registry.publish(fixture)
  const config = { plugin: [["opencode-words@1.2.0", { level: 2 }]] }
  const { host, call, results, list, trust } = await plugged(
    ofProject ? { "docket.json": JSON.stringify(config) } : {},
    { packages, sandboxed: true, ...(!ofProject && { config }) },
  )
  await using _ = host
  if (ofProject) await trust()
  await call(glob)
  expect(registry.asked).toEqual([])
  expect(await list()).toMatchObject([
    { state: "waits", installs: "opencode-words@1.2.0", error: expect.stringContaining("is not installed") },
  ])
  await packages.install(agreed)
  await call(glob)
  expect(results.at(-1)).toMatch(/ typed 0 2 a b function$/)
  expect((await list())[0]).toMatchObject({ state: "ready", ref: { name: "opencode-words" } })
})

test("what is no package from the registry is never asked for", async () => {
  const { registry, packages } = await withRegistry()
  const plugin = ["git+https://example.com/x.git", "opencode-words@^1.0.0", "../outside.ts"]
  const { host, list, trust } = await plugged({ "docket.json": JSON.stringify({ plugin }) }, { packages })
  await using _ = host
  await trust()
  await host.prompt("Hello")
  expect(registry.asked).toEqual([])
  expect((await list()).map(({ state, error }) => [state, error])).toEqual([
    ["waits", expect.stringContaining("is not a package that Docket installs")],
    ["waits", expect.stringContaining("is not a package that Docket installs")],
    ["failed", expect.stringContaining("files in .docket/plugin or .opencode/plugin")],
  ])
})

test("trust is asked for no consent to a file that never runs", async () => {
  const { registry, packages } = await withRegistry()
  const noteOf = async (plugin: unknown[]) => {
    const { host } = await plugged({ "docket.json": JSON.stringify({ plugin }) }, { packages })
    await using _ = host
    const { trust } = await host.runtime.config.get(host.session.projectID)
    return trust.entries.flatMap(({ note }) => note ?? [])
  }
  const consent = expect.stringContaining("installed only after a separate consent")
  expect(await noteOf([["./x.ts", {}]])).toEqual([
    expect.stringMatching(/^\.\/x\.ts: It is not loaded: .* Move it there\.$/),
  ])
  expect(await noteOf(["opencode-words"])).toEqual([consent])
  expect(await noteOf(["./x.ts", "opencode-words"])).toEqual([consent])
  expect(registry.asked).toEqual([])
})
