import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { pathToFileURL } from "node:url"
import { rolldown } from "rolldown"
import { afterEach, beforeEach, expect, test } from "vitest"
import { ownAddresses } from "./own-addresses.ts"

let root: string
beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), "docket-bundle-"))
})
afterEach(() => rm(root, { recursive: true, force: true }))

/** Bundles a module of ours with files beside it. Resolves with the module as it is loaded from the bundle. */
async function bundled(source: string, files: Record<string, string> = {}): Promise<Record<string, unknown>> {
  const all: Record<string, string> = { "packages/one/src/main.ts": source, ...files }
  for (const [name, text] of Object.entries(all)) {
    await mkdir(path.dirname(path.join(root, name)), { recursive: true })
    await writeFile(path.join(root, name), text)
  }
  const plugins = [ownAddresses({ root, places: { "apps/web": "../web" }, external: ["beside"] })]
  await using bundle = await rolldown({
    ...{ cwd: root, platform: "node" as const, tsconfig: false as const, plugins, logLevel: "silent" as const },
    input: { main: "packages/one/src/main.ts" },
    external: ["beside", /^node:/],
  })
  await bundle.write({ dir: path.join(root, "dist"), format: "es" })
  return await import(pathToFileURL(path.join(root, "dist/main.js")).href)
}

test("a module that is started by its address becomes an entry", async () => {
  const { at } = await bundled(`export const at = new URL("child.ts", import.meta.url).href`, {
    "packages/one/src/child.ts": `import { word } from "./word.ts"\nexport const said: string = word`,
    "packages/one/src/word.ts": `export const word = "hello"`,
  })
  expect(at).toMatch(/\/dist\/[^/]+\.js$/)
  expect(await import(String(at))).toMatchObject({ said: "hello" })
})

test("other files lie beside the bundle under different names", async () => {
  const { both } = await bundled(
    `export const both = [new URL("a/it.wasm", import.meta.url), new URL("b/it.wasm", import.meta.url)]`,
    { "packages/one/src/a/it.wasm": "first", "packages/one/src/b/it.wasm": "second" },
  )
  const texts = await Promise.all((both as URL[]).map((address) => readFile(address, "utf8")))
  expect(texts).toEqual(["first", "second"])
})

test("directories have the place that they are given", async () => {
  const { web } = await bundled(`export const web = new URL("../../../apps/web", import.meta.url)`)
  expect((web as URL).href).toBe(pathToFileURL(path.join(root, "web")).href)
  expect(await readdir(path.join(root, "dist"))).toEqual(["main.js"])
})

test("a package that is started by its address is contained", async () => {
  const { at } = await bundled(`export const at = import.meta.resolve("dependency")`, {
    "node_modules/dependency/package.json": `{ "name": "dependency", "version": "1.0.0", "main": "it.js" }`,
    "node_modules/dependency/it.js": `export const name = "dependency"`,
  })
  await rm(path.join(root, "node_modules"), { recursive: true })
  expect(await import(String(at))).toMatchObject({ name: "dependency" })
})

test.each([
  [`export const at = import.meta.dirname`, "builds an address that the package cannot keep"],
  [`export const at = new URL(process.argv[2], import.meta.url)`, "builds an address that the package cannot keep"],
  [`export const at = new URL("../../elsewhere", import.meta.url)`, "elsewhere, which has no place in the package"],
  ["export const load = (name) => import(`strange/${name}`)", "imports what no bundle can contain"],
])("the build refuses %s", async (source, words) => {
  await expect(bundled(source)).rejects.toThrow(words)
})

test("computed imports load from packages beside the bundle", async () => {
  await bundled("export const load = (name: string) => import(`beside/${name}`)")
  expect(await readFile(path.join(root, "dist/main.js"), "utf8")).toContain("import(`beside/")
})
