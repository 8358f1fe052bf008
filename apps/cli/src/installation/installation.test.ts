import { createHash } from "node:crypto"
import { createWriteStream } from "node:fs"
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from "node:fs/promises"
import { createServer } from "node:http"
import { tmpdir } from "node:os"
import path from "node:path"
import { pipeline } from "node:stream/promises"
import { createGzip } from "node:zlib"
import { pack } from "tar-stream"
import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { findInstallation } from "./find-installation.ts"
import { runNpm } from "./run-npm.ts"
import { tryPackage } from "./try-package.ts"
import { uninstall } from "./uninstall.ts"
import { type UpgradeDeps, upgrade } from "./upgrade.ts"

let directory: string
beforeEach(async () => {
  directory = await realpath(await mkdtemp(path.join(tmpdir(), "docket-installation-")))
})
afterEach(() => rm(directory, { recursive: true, force: true }))

/** A package without dependencies. */
async function tarball(version: string, name = "docket", code = `console.log("${version}")`): Promise<string> {
  const file = path.join(directory, `${name}-${version}.tgz`)
  const entries = pack()
  entries.entry({ name: "package/bin/docket.js" }, `#!/usr/bin/env node\n${code}\n`)
  const bin = { docket: "bin/docket.js" }
  entries.entry({ name: "package/package.json" }, JSON.stringify({ name, version, bin }))
  entries.finalize()
  await pipeline(entries, createGzip(), createWriteStream(file))
  return file
}

async function globally(version: string): Promise<{ prefix: string; root: string }> {
  const prefix = path.join(directory, "prefix")
  expect(await runNpm(["install", "--global", "--prefix", prefix, "--offline", await tarball(version)])).toBe(0)
  return { prefix, root: path.join(prefix, "lib/node_modules/docket") }
}

const npmOffline: UpgradeDeps["npm"] = (args, at) => runNpm([...args, "--offline"], at)
const offline: Partial<UpgradeDeps> = { npm: npmOffline, tryPackage: (file) => tryPackage(npmOffline, file) }

const versionAt = async (root: string) => JSON.parse(await readFile(path.join(root, "package.json"), "utf8")).version

function deps(more: Partial<UpgradeDeps> = {}) {
  const said: string[] = []
  return {
    said,
    runningService: async () => null,
    backUp: async () => 0,
    npm: vi.fn(async () => 0),
    tryPackage: async () => "0.2.0",
    say: (line: string) => void said.push(line),
    complain: (line: string) => void said.push(`! ${line}`),
    now: () => new Date("2026-05-04T03:02:01Z"),
    ...more,
  }
}

const request = () => ({
  sha256: null,
  version: "0.1.0",
  installation: { kind: "global" as const, prefix: "/usr" },
  data: path.join(directory, "data"),
})

const removal = {
  data: "/home/ada/.docket",
  config: "/home/ada/.config/docket",
  cache: "/home/ada/.cache/docket",
}

test("npm replaces a global installation and removes it", async () => {
  const { prefix, root } = await globally("0.1.0")
  const installation = findInstallation(root)
  expect(installation).toEqual({ kind: "global", prefix })
  const real = deps(offline)
  expect(await upgrade(real, { ...request(), installation, from: await tarball("0.2.0") })).toBe(0)
  expect([await versionAt(root), real.said]).toEqual([
    "0.2.0",
    [
      "Trying Docket 0.2.0 in a directory of its own. npm may take a minute or two.",
      "It starts. Installing it in the place of 0.1.0.",
      "Docket 0.1.0 is 0.2.0 now. Start it as before.",
    ],
  ])
  expect(await uninstall(real, { ...removal, installation })).toBe(0)
  expect(real.said.slice(-4)).toEqual([
    "Docket is removed. These stay until you remove them:",
    "  /home/ada/.docket: sessions and keys",
    "  /home/ada/.config/docket: settings",
    "  /home/ada/.cache/docket: what can be made again",
  ])
  expect(await readdir(path.join(prefix, "bin"))).toEqual([])
})

test.each([
  ["throw new TypeError('broken')", "TypeError: broken"],
  ["process.exit(3)", "it ended without a word"],
  ["console.log('0.3.0')", 'it says that it is "0.3.0"'],
])("a program that does %s does not replace the one that works", async (code, reason) => {
  const { root } = await globally("0.1.0")
  const real = deps(offline)
  const from = await tarball("0.2.0", "docket", code)
  expect(await upgrade(real, { ...request(), installation: findInstallation(root), from })).toBe(1)
  expect(real.said.at(-1)).toBe(`! Docket 0.2.0 does not start, so 0.1.0 stays: ${reason}`)
  expect(await versionAt(root)).toBe("0.1.0")
})

test("a project's own installation, a checkout and npx are told apart", async () => {
  const inside = async (name: string) => {
    await mkdir(path.join(directory, name), { recursive: true })
    return path.join(directory, name)
  }
  await mkdir(path.join(directory, "app"), { recursive: true })
  await writeFile(path.join(directory, "app/package.json"), "{}")
  expect(findInstallation(await inside("app/node_modules/docket"))).toEqual({
    kind: "local",
    directory: path.join(directory, "app"),
  })
  expect(findInstallation(await inside("_npx/1a/node_modules/docket"))).toEqual({ kind: "npx" })
  const root = path.join(directory, "clone")
  expect(findInstallation(await inside("clone/.docket/builds/12"))).toEqual({ kind: "checkout", root })
  expect(findInstallation(root)).toEqual({ kind: "checkout", root })
})

test("the data directory is backed up before anything changes", async () => {
  const data = path.join(directory, "data")
  await mkdir(data)
  await writeFile(path.join(data, "database.json"), "{}")
  const order: string[] = []
  const file = path.join(data, "upgrades/before-0.2.0-2026-05-04T03-02-01-000Z.docket")
  const own = deps({
    backUp: async (to) => {
      order.push(`backup ${to}`)
      return 0
    },
    npm: async (args) => {
      order.push(`npm ${args[0]}`)
      return 0
    },
  })
  expect(await upgrade(own, { ...request(), from: await tarball("0.2.0") })).toBe(0)
  expect(order).toEqual([`backup ${file}`, "npm install"])
  expect(own.said.at(-1)).toBe(`To go back: install 0.1.0, then docket restore --replace ${file}`)
})

test("a backup that fails leaves everything as it was", async () => {
  await mkdir(path.join(directory, "data"))
  await writeFile(path.join(directory, "data/database.json"), "{}")
  const failing = deps({ backUp: async () => 1 })
  await expect(upgrade(failing, { ...request(), from: await tarball("0.2.0") })).rejects.toThrow("nothing was changed")
  expect(failing.npm).not.toHaveBeenCalled()
})

test.each([
  ["0.0.9", {}, "is Docket 0.0.9, and this is 0.1.0: an older version cannot read"],
  ["0.2.0", { installation: { kind: "npx" as const } }, "npx fetched this Docket for one call"],
  ["0.2.0", { installation: { kind: "checkout" as const, root: "/src" } }, "runs from a checkout (/src). Use git pull"],
  ["0.2.0", { sha256: "ab".repeat(32) }, "it is not the one that you mean"],
])("an upgrade to %s with %o is refused by name", async (version, more, words) => {
  const own = deps()
  await expect(upgrade(own, { ...request(), ...more, from: await tarball(version) })).rejects.toThrow(words)
  expect(own.npm).not.toHaveBeenCalled()
})

test("a running service has to be stopped before its files change", async () => {
  const own = deps({ runningService: async () => ({ url: "http://127.0.0.1:4180", process: 4711 }) })
  const from = await tarball("0.2.0")
  const words = "Docket runs at http://127.0.0.1:4180 (process 4711). Stop it first: Ctrl-C where it runs, or kill 4711"
  await expect(upgrade(own, { ...request(), from })).rejects.toThrow(words)
  await expect(uninstall(own, { ...removal, installation: request().installation })).rejects.toThrow(words)
})

test("files that are no package of Docket are refused", async () => {
  const own = deps()
  const text = path.join(directory, "notes.txt")
  await writeFile(text, "notes")
  await expect(upgrade(own, { ...request(), from: text })).rejects.toThrow(`${text} is no package of Docket. Name`)
  const other = await tarball("0.2.0", "other")
  await expect(upgrade(own, { ...request(), from: other })).rejects.toThrow("is no package of Docket")
  const none = path.join(directory, "none.tgz")
  await expect(upgrade(own, { ...request(), from: none })).rejects.toThrow(`${none} does not exist`)
})

test("a package comes from an address, checked by its sum", async () => {
  const bytes = await readFile(await tarball("0.2.0"))
  const server = createServer((asked, answer) => {
    if (asked.url === "/docket.tgz") answer.end(bytes)
    else answer.writeHead(404).end()
  }).listen(0, "127.0.0.1")
  await new Promise((resolve) => server.once("listening", resolve))
  const address = server.address()
  const port = typeof address === "object" ? address?.port : 0
  try {
    const sha256 = createHash("sha256").update(bytes).digest("hex").toUpperCase()
    const own = deps()
    expect(await upgrade(own, { ...request(), from: `http://127.0.0.1:${port}/docket.tgz`, sha256 })).toBe(0)
    expect(own.npm).toHaveBeenCalledOnce()
    const missing = `http://127.0.0.1:${port}/none.tgz`
    await expect(upgrade(own, { ...request(), from: missing })).rejects.toThrow(`${missing} answered 404 Not Found`)
    const open = upgrade(own, { ...request(), from: "http://example.org/docket.tgz" })
    await expect(open).rejects.toThrow("is not encrypted")
  } finally {
    server.close()
  }
})
